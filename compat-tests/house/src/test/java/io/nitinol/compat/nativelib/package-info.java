// SPDX-License-Identifier: Apache-2.0
/** Native plugins in C, found by discovery and tested by the kit. */
@NullMarked
package io.nitinol.compat.nativelib;

import org.jspecify.annotations.NullMarked;
