// SPDX-License-Identifier: Apache-2.0

/**
 * Memory that the ranks of one host share for collectives: each rank's slots, which that rank
 * writes and all read, and the counters by which they tell one another how far they are. {@link
 * Team} is the whole memory, {@link TeamArea} the part of one channel and protocol, {@link
 * TeamLayout} says where everything lies. The thread that connects makes it; one executor uses an
 * area. {@link HostWindows} are buffers of the application that all members map, made by the thread
 * that allocates.
 */
@NullMarked
package io.nitinol.core.team;

import org.jspecify.annotations.NullMarked;
