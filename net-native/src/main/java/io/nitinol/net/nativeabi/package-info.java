// SPDX-License-Identifier: Apache-2.0
/**
 * NCCL's own plugin ABI, both ways: native plugins in Java, and Java plugins in NCCL.
 *
 * <p>For the first, begin at {@code library}, which core's discovery calls: it finds libraries and
 * their structs. {@code plugin}, {@code tuner} and {@code profiler} turn the structs into Java
 * plugins. For the second, begin at {@code export}, which {@code libnccl-net-nitinol.so} calls.
 * {@code ffi} has the structs of both as tables, {@code dl} the dynamic linker.
 */
@NullMarked
package io.nitinol.net.nativeabi;

import org.jspecify.annotations.NullMarked;
