// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.List;

/**
 * What to measure; the same on every rank.
 *
 * @param warmup operations before each measurement that are not timed
 * @param iterations operations that are timed
 * @param checks how often each row's result is checked, with other data each time; 0 for never
 * @param blocking whether each operation is waited for, by all ranks, before the next one
 * @param threads whether the ranks are threads of one process
 */
record PerfPlan(
    Collective collective,
    SizeRange range,
    List<DataType> types,
    List<ReductionOp> ops,
    int warmup,
    int iterations,
    int checks,
    boolean blocking,
    boolean threads) {}
