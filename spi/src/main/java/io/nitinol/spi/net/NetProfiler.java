// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Takes a plugin's own events into the framework's profile; mirrors {@code ncclProfilerCallback_t}
 * (version 10 and later). Any thread may call it; it never waits and never throws.
 */
@FunctionalInterface
public interface NetProfiler {

  /** An event begins; {@code record} returns its handle. */
  int START = 0;

  /** An event ends. */
  int STOP = 1;

  /** An event has news. */
  int UPDATE = 2;

  /** An event has news and ends. */
  int UPDATE_AND_STOP = 3;

  /**
   * Records an event.
   *
   * @param type {@link #START}, {@link #STOP}, {@link #UPDATE} or {@link #UPDATE_AND_STOP}
   * @param event what START returned; ignored for START
   * @param parent the profiler handle that {@code isend} or {@code irecv} was given
   * @param pluginId which plugin's event structure {@code data} has, and in which version
   * @param data the event in that structure, read during the call only; null where there is none
   * @return for START the event's handle, 0 where it is not recorded; else 0
   */
  long record(int type, long event, long parent, long pluginId, @Nullable MemorySegment data);
}
