// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.toolkit.thread.OneThread;

/**
 * The event by which a profiler knows the work of one channel: it lasts from the first of the tasks
 * that run side by side on the channel to the end of the last.
 */
@OneThread
final class SharedChannelEvent {
  private final int channel;
  private long event;
  private int tasks;

  SharedChannelEvent(int channel) {
    this.channel = channel;
  }

  void begins(ProfilerSession session, Operation operation) {
    if (tasks++ == 0) {
      event = session.channelBegins(operation.wanted(), operation.event(), channel);
    }
  }

  void ends(ProfilerSession session) {
    if (--tasks == 0) {
      session.channelEnds(event);
    }
  }
}
