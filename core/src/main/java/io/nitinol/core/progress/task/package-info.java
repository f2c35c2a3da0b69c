// SPDX-License-Identifier: Apache-2.0

/**
 * What an executor runs. An {@link Operation} is one submitted call, filled from a {@link
 * CollectiveCall} or from {@link PairTransfers}; {@link CollectiveTasks} and {@link PairTasks} turn
 * it into {@link Task tasks}, as NCCL's planner does: one {@link ScheduleTask} per channel and
 * schedule of a collective, one {@link PairSend} or {@link PairReceive} per peer of a batch.
 *
 * <p>{@link MessageSide} moves data through connectors, {@link TeamSide} through the memory of a
 * host; both add up with {@link Fold}. {@link ActiveConnectors} are the connectors that all tasks
 * of an engine share; {@link MissingConnection} is what keeps an operation from beginning.
 *
 * <p>The submitting thread fills an operation, one executor's thread runs its tasks, and any thread
 * may describe them for an error or a dump. Begin with {@link CollectiveTasks#begin} and {@link
 * ScheduleTask#advance}.
 */
@NullMarked
package io.nitinol.core.progress.task;

import org.jspecify.annotations.NullMarked;
