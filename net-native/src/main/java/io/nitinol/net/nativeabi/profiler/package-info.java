// SPDX-License-Identifier: Apache-2.0
/**
 * Native profilers, {@code ncclProfiler_v1} to {@code _v6}, as Java plugins. Begin at {@code
 * NativeProfilers}. The threads that core reports events from call them, several at a time.
 */
@NullMarked
package io.nitinol.net.nativeabi.profiler;

import org.jspecify.annotations.NullMarked;
