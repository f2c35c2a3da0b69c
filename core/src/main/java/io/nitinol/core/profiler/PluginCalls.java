// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.ProfilerReport;

/**
 * Times the calls of a plugin for one connection, while the profiler wants that. While it does not,
 * a call costs a look at one field. Any thread may use it.
 *
 * @param sends whether this rank sends over the connection
 * @param peer the rank at the other end, or -1 for a collective network
 */
record PluginCalls(ProfilerSession session, boolean sends, int peer, int channel) {
  /** A call that is not timed. A clock that shows just this loses one call. */
  private static final long UNTIMED = Long.MIN_VALUE;

  /** Returns when a call begins, for {@link #ends}. */
  long begins() {
    return session.timesCalls() ? session.now() : UNTIMED;
  }

  /** Ends a call, of which {@code begin} is what {@link #begins} has returned. */
  void ends(String call, long begin) {
    if (begin != UNTIMED) {
      session.called(call, sends, peer, channel, begin, session.now() - begin);
    }
  }

  /** Returns when a call begins that registers memory, for {@link #endsRegistration}. */
  long beginsRegistration() {
    return session.timesRegistrations() ? session.now() : UNTIMED;
  }

  /**
   * Ends such a call. One reading of the clock for both reports: the profiler's own time belongs to
   * neither.
   *
   * @param done whether the memory is registered now
   */
  void endsRegistration(String call, Memory memory, boolean done, long begin) {
    if (begin == UNTIMED) {
      return;
    }
    long nanos = session.now() - begin;
    session.called(call, sends, peer, channel, begin, nanos);
    if (done && session.wants(ReportType.REGISTRATION)) {
      session.report(
          new ProfilerReport.Registration(
              memory.type(), memory.size(), sends, peer, channel, begin, nanos));
    }
  }
}
