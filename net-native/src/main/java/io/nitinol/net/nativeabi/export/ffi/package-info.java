// SPDX-License-Identifier: Apache-2.0
/** The functions of the host that Java calls, and how Java methods become functions of C. */
@NullMarked
package io.nitinol.net.nativeabi.export.ffi;

import org.jspecify.annotations.NullMarked;
