// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A comm that exists before the other side has its own, and is used at once. */
public final class EarlyUseRules {
  private static final int LENGTH = 4096;
  private static final int POLLS = 100;
  private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(100);

  private final Side sending = new Side();
  private final Side receiving = new Side();

  /** The state of one side. */
  private static final class Side {
    @Nullable MemoryHandle memory;
    @Nullable Request request;
    boolean done;
  }

  @Rule(value = "NET-CONN-12", needs = Need.V5)
  void aSendCommIsUsedBeforeAcceptIsCalled(NetSession session) {
    session.needsBytes(LENGTH);
    use(session, true);
  }

  @Rule(value = "NET-CONN-12", needs = Need.V5)
  void aRecvCommIsUsedBeforeConnectHasReturnedOne(NetSession session) {
    session.needsBytes(LENGTH);
    use(session, false);
  }

  /**
   * Makes a connection, one side first where the plugin lets it, and uses each comm from the moment
   * it is there.
   */
  private void use(NetSession session, boolean senderFirst) {
    NetListening listening = session.listen(0);
    MemorySegment handle = session.copyOf(listening.handle());
    GuardedArea from = session.area(LENGTH);
    GuardedArea to = session.area(LENGTH);
    long seed = session.random().nextLong();
    from.fill(seed);
    @Nullable SendComm[] send = new SendComm[1];
    @Nullable RecvComm[] recv = new RecvComm[1];
    if (senderFirst) {
      ConnectAttempts.forAWhile(A_WHILE, () -> connect(session, handle, send));
    } else {
      // As few calls of connect as the other side needs to see somebody.
      for (int i = 0; i < POLLS && send[0] == null && recv[0] == null; i++) {
        connect(session, handle, send);
        ConnectAttempts.forAWhile(A_WHILE / 10, () -> accept(session, listening, recv));
      }
    }
    for (int i = 0; i < POLLS; i++) {
      drive(session, send[0], recv[0], from, to);
    }
    session.await(
        "NET-CONN-09",
        "both sides to have their comm",
        () -> {
          boolean connected = connect(session, handle, send);
          return accept(session, listening, recv) && connected;
        });
    session.await(
        session.terms().rule(),
        "a message through comms of which one was used before the other was there",
        () -> {
          drive(session, send[0], recv[0], from, to);
          return sending.done && receiving.done;
        });
    long wrong = to.firstDifference(0, LENGTH, seed);
    session.check(
        wrong < 0, "a message that was sent early arrived wrong at byte %d of %d", wrong, LENGTH);
    session.connection(send[0], recv[0]).close();
  }

  private static boolean connect(
      NetSession session, MemorySegment handle, @Nullable SendComm[] send) {
    if (send[0] == null) {
      send[0] = session.step("NET-CONN-09", "connect", () -> session.net().connect(0, handle));
    }
    return send[0] != null;
  }

  private static boolean accept(
      NetSession session, NetListening listening, @Nullable RecvComm[] recv) {
    if (recv[0] == null) {
      recv[0] = session.step("NET-CONN-09", "accept", () -> session.net().accept(listening.comm()));
    }
    return recv[0] != null;
  }

  private void drive(
      NetSession session,
      @Nullable SendComm send,
      @Nullable RecvComm recv,
      GuardedArea from,
      GuardedArea to) {
    TestedNet net = session.net();
    String rule = session.terms().rule();
    if (send != null && !sending.done) {
      sending.done =
          session.step(
              rule,
              "a send while the other side may not be there",
              () -> {
                if (sending.memory == null) {
                  sending.memory = net.regMr(send, from.memory());
                }
                if (sending.request == null) {
                  sending.request = net.isend(send, sending.memory, 0, LENGTH, 0);
                }
                return sending.request != null && net.test(sending.request, null);
              });
    }
    if (recv != null && !receiving.done) {
      receiving.done =
          session.step(
              rule,
              "a receive while the other side may not be there",
              () -> {
                if (receiving.memory == null) {
                  receiving.memory = net.regMr(recv, to.memory());
                }
                if (receiving.request == null) {
                  receiving.request =
                      net.irecv(
                          recv,
                          1,
                          new MemoryHandle[] {receiving.memory},
                          new long[1],
                          new long[] {LENGTH},
                          new int[1]);
                }
                return receiving.request != null && net.test(receiving.request, null);
              });
    }
  }
}
