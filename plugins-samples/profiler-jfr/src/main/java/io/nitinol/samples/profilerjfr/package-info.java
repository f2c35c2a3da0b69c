// SPDX-License-Identifier: Apache-2.0

/**
 * A profiler whose events are in recordings of JDK Flight Recorder, beside those of the JVM.
 *
 * <p>Read in this order. {@link io.nitinol.samples.profilerjfr.JfrProfiler} is what Nitinol sees;
 * threads of the application and those that move data call it, several at a time. {@code
 * JfrContext} has the events of a rank that have begun and not ended. {@code JfrEvent} is what all
 * kinds of events have in common, and each class under it is one kind, with its columns.
 *
 * <p>Try it: {@code NCCL_PROFILER_PLUGIN=JFR
 * NITINOL_JAVA_OPTS=-XX:StartFlightRecording:filename=recordings/ ./nitinol perf all_reduce -n 2},
 * and then {@code jfr view --cell-height 1 io.nitinol.Collective FILE}.
 */
@NullMarked
package io.nitinol.samples.profilerjfr;

import org.jspecify.annotations.NullMarked;
