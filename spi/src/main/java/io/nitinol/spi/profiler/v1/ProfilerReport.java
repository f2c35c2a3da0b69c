// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler.v1;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.profiler.ReportType;

/**
 * Something rare that has happened, told once it is over; see {@link Profiler.Context#report}. A
 * report may be kept. Later versions of the framework may have kinds that are not here. Times are
 * those of {@link System#nanoTime}, and durations are in nanoseconds.
 */
public interface ProfilerReport {

  /** {@return what kind of report it is} */
  ReportType type();

  /**
   * A call of the network plugin that took at least as long as {@code NITINOL_PROFILE_SLOW_CALL_US}
   * says.
   *
   * @param call the name of the method, such as {@code isend}
   * @param sends whether it was for a connection over which this rank sends; true for a collective
   *     network
   * @param peer the rank at the other end of the connection; -1 for a collective network
   * @param channel the channel of the connection
   * @param begin when it began
   * @param nanos how long it took
   */
  record SlowCall(String call, boolean sends, int peer, int channel, long begin, long nanos)
      implements ProfilerReport {
    @Override
    public ReportType type() {
      return ReportType.SLOW_CALL;
    }
  }

  /**
   * This rank's end of a connection over the network plugin, which has come about. A connection has
   * one direction.
   *
   * @param network the name of the plugin
   * @param device the name of the device
   * @param use what the connection is for: {@code collective} for collectives, {@code pair} for
   *     sends and receives, {@code direct} for data that goes without slots
   * @param sends whether this rank sends over it
   * @param peer the rank at the other end
   * @param channel its channel
   * @param begin when both ends had begun: the first call of {@code connect} or {@code accept}
   * @param nanos how long it took until the end could be used, its memory registered
   */
  record Connection(
      String network,
      String device,
      String use,
      boolean sends,
      int peer,
      int channel,
      long begin,
      long nanos)
      implements ProfilerReport {
    @Override
    public ReportType type() {
      return ReportType.CONNECTION;
    }
  }

  /**
   * Memory that the network plugin has registered for a connection.
   *
   * @param memory what kind of memory it is
   * @param bytes its size
   * @param sends whether this rank sends over the connection; true for a collective network
   * @param peer the rank at the other end of the connection; -1 for a collective network
   * @param channel the channel of the connection
   * @param begin when the call began
   * @param nanos how long it took
   */
  record Registration(
      PointerType memory, long bytes, boolean sends, int peer, int channel, long begin, long nanos)
      implements ProfilerReport {
    @Override
    public ReportType type() {
      return ReportType.REGISTRATION;
    }
  }

  /**
   * The failure of the communicator, of which there is at most one: what its pending calls throw.
   * An abort by the application is one too.
   *
   * @param result the code
   * @param failedRank the rank that is to blame, or -1 where that is not known
   * @param message the error message
   * @param time when this rank learnt it
   */
  record Failure(ResultCode result, int failedRank, String message, long time)
      implements ProfilerReport {
    @Override
    public ReportType type() {
      return ReportType.FAILURE;
    }
  }
}
