// SPDX-License-Identifier: Apache-2.0
/** The functions of the C library that shared memory is used with. */
@NullMarked
package io.nitinol.core.shm.ffi;

import org.jspecify.annotations.NullMarked;
