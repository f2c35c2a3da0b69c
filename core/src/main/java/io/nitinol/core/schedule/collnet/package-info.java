// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives that a collective network reduces between hosts. To a schedule the network is a peer
 * like another one, whose number is the number of ranks: what is sent there comes back reduced over
 * all hosts, message by message. {@link CollNetShape} says who talks to the network; the two
 * schedules differ in what the ranks of a host do before.
 */
@NullMarked
package io.nitinol.core.schedule.collnet;

import org.jspecify.annotations.NullMarked;
