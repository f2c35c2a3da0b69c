// SPDX-License-Identifier: Apache-2.0

/**
 * Starts one process per rank, forwards their output, notices how each of them ends, and makes sure
 * that none outlives the launcher.
 *
 * <p>Begin at {@link io.nitinol.cli.launch.Launcher}, which {@code perf} and {@code run} call. A
 * thread for each output of a rank forwards its lines; {@code OrphanGuard} is a process of its own
 * that kills the ranks when the launcher is killed.
 */
@NullMarked
package io.nitinol.cli.launch;

import org.jspecify.annotations.NullMarked;
