// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler.v1;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that is told what a communicator does; mirrors {@code ncclProfiler_v6_t}. Found by
 * {@link java.util.ServiceLoader} and in {@code NITINOL_PLUGIN_PATH}; {@code NCCL_PROFILER_PLUGIN}
 * chooses one by its name.
 *
 * <p>An event is a number of the profiler's own, other than 0, from its start to its stop; 0 stands
 * for an event that the profiler does not record, and then nothing else is said of it. A parent may
 * have been stopped before its children start.
 *
 * <p>Events come from any thread and from several at a time, those that move data among them: a
 * profiler must not wait, and what it does slows the communicator down. Whatever it throws switches
 * it off for the communicator, with a line in the log, and hurts no operation.
 */
public interface Profiler {

  /** A profiler's state for one communicator; a class of the profiler's own. */
  interface Context {
    /**
     * Returns which events are wanted now. Asked before every call of the application; an operation
     * keeps to what was said at its call. Where that was none, it is asked once more when the
     * operation is submitted.
     *
     * @return the {@link EventType#mask masks} of the kinds together; 0 for none
     */
    int activationMask();

    /**
     * Takes note that an operation was given up: its communicator has failed, or was closed before
     * the operation was done. {@link Profiler#stopEvent} follows. NCCL has no such call.
     *
     * @param event a {@link EventType#COLL} or {@link EventType#P2P}, as {@link
     *     Profiler#startEvent} returned it
     */
    default void givenUp(long event) {}

    /**
     * Returns which reports are wanted now. Asked with {@link #activationMask}, and when the
     * communicator is made, begins to make a connection or fails. NCCL has no such call.
     *
     * @return the {@link ReportType#mask masks} of the kinds together; 0, the default, for none
     */
    default int reportMask() {
      return 0;
    }

    /**
     * Receives a report. Comes from any thread and from several at a time, like an event, and must
     * not wait: a thread that moves data tells of its slow call, and the thread that serves the
     * control connections often tells of the failure.
     *
     * @param report what it is, of a kind that {@link #reportMask} asked for, or may have asked for
     *     a moment ago
     */
    default void report(ProfilerReport report) {}
  }

  /**
   * Returns a short ASCII name.
   *
   * @return the same name always
   */
  String name();

  /**
   * Begins with a communicator; mirrors {@code init}. By one thread at a time.
   *
   * @param commId the communicator's number, the same on all its ranks
   * @param commName what the application calls it, or null
   * @param nodes on how many hosts its ranks are
   * @param ranks how many ranks it has
   * @param rank which of them this is
   * @param logger where to log
   * @return what the other calls for this communicator are given
   * @throws RuntimeException when the profiler cannot be used; the framework warns and goes on
   *     without
   */
  Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger);

  /**
   * Starts an event; mirrors {@code startEvent}.
   *
   * @param context what {@link #init} returned
   * @param descriptor what it is about, to be read during the call only
   * @return the event, or 0 where it is not recorded
   */
  long startEvent(Context context, EventDescriptor descriptor);

  /**
   * Stops an event; mirrors {@code stopEvent}. Each is stopped once, by whichever thread ends it.
   *
   * @param context what {@link #init} returned
   * @param event what {@link #startEvent} returned, not 0
   */
  void stopEvent(Context context, long event);

  /**
   * Takes note of what happens to an event; mirrors {@code recordEventState}.
   *
   * @param context what {@link #init} returned
   * @param event what {@link #startEvent} returned, not 0
   * @param state what happens
   * @param argument what the state says of it; 0 where it says nothing
   * @param data for {@link EventState#NET_PLUGIN_UPDATE} the plugin's structure, to be read during
   *     the call only; null otherwise
   */
  void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data);

  /**
   * Ends with a communicator; mirrors {@code finalize}. All events are stopped, unless a thread
   * could not be ended.
   *
   * @param context what {@link #init} returned, not used any more
   */
  void finalizeContext(Context context);
}
