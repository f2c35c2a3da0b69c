// SPDX-License-Identifier: Apache-2.0

/**
 * {@code nitinol perf}: what nccl-tests' programs do. It runs a collective over a range of sizes,
 * types and operators, times it, checks every element on every rank, and prints nccl-tests' table.
 *
 * <p>Begin at {@code PerfCommand}. It makes a {@code PerfPlan} of the options and starts the ranks,
 * as processes ({@code ProcessRanks}) or threads ({@code ThreadRanks}). In each rank a {@code
 * RankJob} runs every row of the plan ({@code RankRun}); rank 0 prints the {@code PerfReport} and
 * writes the {@code PerfFiles}. What a rank calls is a {@code PerfSession}: {@code RankSessions}
 * makes one on host memory, or on that of devices. A {@code PerfMode} is what else there is than
 * nccl-tests' table: {@code PairRun} goes through pairs of ranks, {@code IntervalClock} prints
 * figures over time.
 */
@NullMarked
package io.nitinol.cli.perf;

import org.jspecify.annotations.NullMarked;
