// SPDX-License-Identifier: Apache-2.0

/**
 * What makes operations advance: submitted ones queue in a ring of preallocated descriptors, one
 * executor per channel runs their steps, connectors move the slots, and whoever waits for a result
 * drives both.
 */
@NullMarked
package io.nitinol.core.progress;

import org.jspecify.annotations.NullMarked;
