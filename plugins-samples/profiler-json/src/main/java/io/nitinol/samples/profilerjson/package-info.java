// SPDX-License-Identifier: Apache-2.0

/**
 * A profiler that writes the events of each rank to a file in the trace event format, which
 * Perfetto and Chrome show.
 *
 * <p>Read in this order. {@link io.nitinol.samples.profilerjson.JsonProfiler} is what Nitinol sees;
 * threads of the application and those that move data call it, several at a time. {@code JsonTrace}
 * keeps the events of a rank in memory that is there before the first of them, {@code JsonEvent} is
 * one, and {@code JsonTraceText} makes the file of them when the communicator closes.
 *
 * <p>Try it: {@code NCCL_PROFILER_PLUGIN=JSON NITINOL_PROFILER_JSON_FILE=trace ./nitinol perf
 * all_reduce -n 2}.
 */
@NullMarked
package io.nitinol.samples.profilerjson;

import org.jspecify.annotations.NullMarked;
