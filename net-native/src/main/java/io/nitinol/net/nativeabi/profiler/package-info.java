// SPDX-License-Identifier: Apache-2.0
/** Native profilers as Java plugins: {@code ncclProfiler_v1} to {@code _v6}. */
@NullMarked
package io.nitinol.net.nativeabi.profiler;

import org.jspecify.annotations.NullMarked;
