// SPDX-License-Identifier: Apache-2.0

/**
 * Bytes on links: {@link io.nitinol.core.sim.flow.FlowNetwork} shares the links among the messages
 * that are under way, {@link io.nitinol.core.sim.flow.TimerHeap} knows what happens next, {@link
 * io.nitinol.core.sim.flow.LinkUsage} how busy links were over time. The simulation of {@code
 * core.sim} calls them, from one thread. Begin with {@code FlowNetwork}.
 */
@NullMarked
package io.nitinol.core.sim.flow;

import org.jspecify.annotations.NullMarked;
