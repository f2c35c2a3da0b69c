// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives over rings: each rank receives from the one before and sends to the one behind.
 * {@link Ring} is the order of the ranks, {@link RingSchedule} the share of a channel that all have
 * in common; {@link RingChain} is for collectives with a root.
 */
@NullMarked
package io.nitinol.core.schedule.ring;

import org.jspecify.annotations.NullMarked;
