// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives of ranks that share memory: one-shot and sliced exchanges through the slots of the
 * team, and, where all ranks are in one process, straight between their buffers. {@link
 * TeamSchedule} is what all have in common; {@code Direct*} reads the others' buffers, the others
 * go through slots. {@link ReductionShares} is the part that collectives over several hosts use
 * too.
 */
@NullMarked
package io.nitinol.core.schedule.team;

import org.jspecify.annotations.NullMarked;
