// SPDX-License-Identifier: Apache-2.0

/**
 * Collectives of ranks that share memory: one-shot and sliced exchanges through the slots of the
 * team, and, where all ranks are in one process, straight between their buffers.
 */
@NullMarked
package io.nitinol.core.schedule.team;

import org.jspecify.annotations.NullMarked;
