// SPDX-License-Identifier: Apache-2.0

/**
 * What each rank does in a collective, as a sequence of steps computed from the algorithm, the
 * order of the ranks and the element count alone: no I/O, no clock, no memory. NCCL has the same in
 * its device code and {@code ncclProxyOp}.
 *
 * <p>{@link Schedule} is the interface, {@link Step} with {@link StepKind} one step; a sub-package
 * holds the schedules of one algorithm. Executors run these steps; the tests run all of them
 * symbolically, which proves for many rank counts that every rank ends with every contribution
 * exactly once.
 *
 * <p>Begin with {@link Schedule} and {@code ring.RingAllReduce}. A new schedule is a class here, an
 * algorithm in {@code spi.tuner.Algorithm} and a case in {@code tuning.ScheduleBook}. A schedule
 * belongs to the thread of one executor.
 */
@NullMarked
package io.nitinol.core.schedule;

import org.jspecify.annotations.NullMarked;
