// SPDX-License-Identifier: Apache-2.0

/** Version 1 of the profiler interface: it mirrors version 6 of NCCL's {@code ncclProfiler}. */
@NullMarked
package io.nitinol.spi.profiler.v1;

import org.jspecify.annotations.NullMarked;
