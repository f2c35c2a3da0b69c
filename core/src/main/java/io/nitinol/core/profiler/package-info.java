// SPDX-License-Identifier: Apache-2.0

/**
 * Tells a profiler plugin what a communicator does. {@link ProfilerSession} is the plugin at work
 * for one communicator; {@link CallEvents}, {@link ConnectionEvents} and {@link NetEvents} are the
 * events of calls and operations, of a connection's messages and of a network plugin's own. A
 * connection of a profiled communicator calls its plugin through a {@link TimedNet}, and what it
 * has of a collective network through a {@link TimedCollNet}.
 *
 * <p>Submitting threads, executors, the driving thread and those that make connections call them,
 * and the thread that learns of the failure tells it: only where a profiler is loaded.
 */
@NullMarked
package io.nitinol.core.profiler;

import org.jspecify.annotations.NullMarked;
