// SPDX-License-Identifier: Apache-2.0

/**
 * A tuner that reads a table: for a collective, a range of sizes, and numbers of hosts and ranks it
 * names the algorithm, the protocol and the channels. The columns come in the order of the CSV file
 * of NCCL's example tuner.
 *
 * <p>Read in this order. {@link io.nitinol.samples.tunercsv.CsvTuner} is what Nitinol sees; the
 * thread that submits an operation calls it. {@code CsvTable} reads the file, and {@code CsvLine}
 * is a line of it, with the errors that a wrong one gives.
 *
 * <p>Try it, with the file that {@code docs/tuning.md} shows: {@code NCCL_TUNER_PLUGIN=CSV
 * NITINOL_TUNER_CSV_FILE=table.csv ./nitinol perf all_reduce -n 4}.
 */
@NullMarked
package io.nitinol.samples.tunercsv;

import org.jspecify.annotations.NullMarked;
