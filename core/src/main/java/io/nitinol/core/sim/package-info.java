// SPDX-License-Identifier: Apache-2.0

/**
 * Simulates what communicators would do on a cluster that isn't there: the same choices and
 * schedules as a run, no sockets and no thread for a rank. {@link
 * io.nitinol.core.sim.VirtualCommunicator} plans, {@link io.nitinol.core.sim.TransferList} lists
 * what a plan moves, {@link io.nitinol.core.sim.Simulation} gives it times: links are shared
 * max-min fair, and steps wait for messages, slots and signals as those of the engine do.
 *
 * <p>The command {@code nitinol sim} calls it, from one thread per simulation. Begin with {@code
 * Simulation}.
 */
@NullMarked
package io.nitinol.core.sim;

import org.jspecify.annotations.NullMarked;
