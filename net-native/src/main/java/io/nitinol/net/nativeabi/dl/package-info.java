// SPDX-License-Identifier: Apache-2.0
/** The dynamic linker of the C library: shared libraries and the symbols in them. */
@NullMarked
package io.nitinol.net.nativeabi.dl;

import org.jspecify.annotations.NullMarked;
