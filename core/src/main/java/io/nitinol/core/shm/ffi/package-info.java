// SPDX-License-Identifier: Apache-2.0
/**
 * The functions of the C library that {@code core.shm} needs, bound in the shape of jextract.
 * Only that package uses them.
 */
@NullMarked
package io.nitinol.core.shm.ffi;

import org.jspecify.annotations.NullMarked;
