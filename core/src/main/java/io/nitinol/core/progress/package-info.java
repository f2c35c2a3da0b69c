// SPDX-License-Identifier: Apache-2.0

/**
 * Brings submitted operations to completion: what NCCL's kernels and proxy thread do together.
 *
 * <p>{@link Engine} is the front. Any thread submits; the operation lies in a descriptor of {@link
 * OperationRing}, which an {@link Executor} takes up and runs as the tasks of {@code
 * progress.task}. There is one executor per kernel thread, each with its share of the channels, by
 * default one in all. {@link ExecutorReport} describes it in errors and dumps.
 *
 * <p>{@link ProgressAgent} is the work itself: it lets the connectors move what lies in their slots
 * and, where there are no kernel threads, runs the executors. One thread at a time may do that.
 * {@link AgentInvoker} lets the thread that waits for a result do it; {@link AgentRunner}, the
 * thread {@code <name>-progress}, does it while no thread waits. {@link KernelThread} runs one
 * executor and never calls a network plugin. {@link SendHelp} lets a helper send in the driving
 * thread's stead.
 *
 * <p>What goes wrong is collected in {@code progress.failure}, so that all ranks name the same
 * cause; {@link CallCheck} finds ranks that have called different collectives, and {@link
 * LeaverCheck} waits for a rank that has closed. {@link EngineShutdown} ends threads before what
 * they use.
 *
 * <p>Begin with {@link Engine}, {@link Executor#run} and {@link ProgressAgent#doWork}.
 */
@NullMarked
package io.nitinol.core.progress;

import org.jspecify.annotations.NullMarked;
