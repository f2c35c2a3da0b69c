// SPDX-License-Identifier: Apache-2.0
/**
 * NCCL's plugin structs as tables: which function is in which slot of which version, what it takes,
 * and where the fields of the structs are that it is given. The same in C is {@code nccl_abi.h}; a
 * test compares the two.
 */
@NullMarked
package io.nitinol.net.nativeabi.ffi;

import org.jspecify.annotations.NullMarked;
