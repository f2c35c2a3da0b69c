// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Waits until a rank is connected with its two neighbours in the ring, on the first channel. */
@OnlyThread("setup")
final class RingConnect {
  private static final long POLL_NANOS = 100_000;

  /** A connection that both ends have begun has the limit to itself, so that its error comes. */
  private static final int GRACE_SECONDS = 3;

  private RingConnect() {}

  /**
   * Connects.
   *
   * @param ring this rank's place; nothing is connected where it is alone
   * @param seconds how long a neighbour may take to begin
   * @param waitsFor is told which rank this one waits for, and -1 in the end; it stays that rank
   *     where the communicator fails meanwhile
   * @throws CommException when that takes longer or the communicator fails
   */
  static void connect(
      Connectors connectors, CommFailures failures, Ring ring, int seconds, IntConsumer waitsFor) {
    if (ring.size() == 1) {
      return;
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds + GRACE_SECONDS);
    while (true) {
      // Both are asked for, so that both are made at once.
      SendConnector send = connectors.sender(ring.next(), 0, Use.COLLECTIVE);
      ReceiveConnector receive = connectors.receiver(ring.previous(), 0, Use.COLLECTIVE);
      if (send != null && receive != null) {
        waitsFor.accept(-1);
        return;
      }
      waitsFor.accept(missing(ring, send));
      failures.check();
      if (System.nanoTime() - deadline >= 0) {
        // Several ranks may miss different ones: what they agree on ends this wait.
        failures.report(late(failures.rank(), missing(ring, send), seconds));
      }
      LockSupport.parkNanos(connectors, POLL_NANOS);
    }
  }

  private static int missing(Ring ring, @Nullable SendConnector send) {
    return send == null ? ring.next() : ring.previous();
  }

  private static FailureReport late(int rank, int peer, int seconds) {
    return new FailureReport(
        rank,
        ResultCode.TIMEOUT,
        peer,
        true,
        null,
        ErrorText.of(
            "rank %d has not begun to connect within %d s; NITINOL_BOOTSTRAP_TIMEOUT sets the"
                + " limit",
            peer, seconds));
  }
}
