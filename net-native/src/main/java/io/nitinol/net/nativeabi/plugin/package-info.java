// SPDX-License-Identifier: Apache-2.0
/**
 * Native plugins as Java ones: a class for each version of the interfaces over one layer that calls
 * the functions of an exported struct, checks what goes in and what comes out, and names what went
 * wrong.
 */
@NullMarked
package io.nitinol.net.nativeabi.plugin;

import org.jspecify.annotations.NullMarked;
