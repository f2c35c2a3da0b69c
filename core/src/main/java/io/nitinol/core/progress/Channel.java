// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One ring of a communicator, as one rank sees it: a schedule and two connectors. */
public final class Channel {
  /** Steps between two turns of the network. */
  private static final int STEPS_PER_TURN = 1;

  private final RingAllReduce schedule;
  private final @Nullable ReceiveConnector receive;
  private final @Nullable SendConnector send;

  /**
   * Creates a channel.
   *
   * @param schedule what to do
   * @param receive the connection from the rank before; null where the rank is alone
   * @param send the connection to the rank behind; null where the rank is alone
   */
  public Channel(
      RingAllReduce schedule, @Nullable ReceiveConnector receive, @Nullable SendConnector send) {
    this.schedule = schedule;
    this.receive = receive;
    this.send = send;
  }

  Executor newExecutor(int rank, OperationRing ring, int channels) {
    return new Executor(rank, ring, schedule, receive, send, channels);
  }

  /** Receives what has come, runs a step where {@code executor} is given, sends what is there. */
  int pass(@Nullable Executor executor, Failures failures) {
    int work = 0;
    int peer = -1;
    try {
      if (receive != null) {
        peer = receive.peer();
        work += receive.progress();
      }
      if (executor != null) {
        peer = -1;
        work += executor.run(STEPS_PER_TURN);
      }
      if (send != null) {
        peer = send.peer();
        work += send.progress();
      }
    } catch (NetException e) {
      if (peer >= 0) {
        failures.suspect(peer, e);
      } else {
        failures.failHere(e, "a step");
      }
    } catch (Throwable e) {
      // Whatever it is, the operation cannot go on and somebody waits for it.
      failures.failHere(e, peer < 0 ? "a step" : "a call of the network plugin");
    }
    return work;
  }

  /** Returns the rank that messages go to, or -1. */
  int next() {
    return send == null ? -1 : send.peer();
  }

  /** Returns whether everything given to the network has left. */
  boolean isDrained() {
    return send == null || send.isDrained();
  }

  /**
   * Closes the connections, each whatever becomes of the other; nobody may be using them.
   *
   * @param errors what is thrown is added here; such a connection may still use its memory
   */
  public void close(List<Throwable> errors) {
    if (send != null) {
      try {
        send.close();
      } catch (Throwable e) {
        errors.add(e);
      }
    }
    if (receive != null) {
      try {
        receive.close();
      } catch (Throwable e) {
        errors.add(e);
      }
    }
  }
}
