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
import io.nitinol.tck.session.NetConnection;
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

  /** Longer than a plugin may think that the other side takes to come. */
  private static final long LATE = TimeUnit.MILLISECONDS.toNanos(2_600);

  /** The state of one side. */
  private static final class Side {
    @Nullable MemoryHandle memory;
    @Nullable Request request;
    boolean done;
  }

  @Rule(value = "NET-CONN-12", needs = Need.V5)
  void aSendCommIsUsedBeforeAcceptIsCalled(NetSession session) {
    session.needsBytes(LENGTH);
    EarlyUse use = new EarlyUse(session);
    ConnectAttempts.forAWhile(A_WHILE, use::connect);
    use.drive(POLLS);
    use.finish();
  }

  @Rule(value = "NET-CONN-12", needs = Need.V5)
  void aRecvCommIsUsedBeforeConnectHasReturnedOne(NetSession session) {
    session.needsBytes(LENGTH);
    EarlyUse use = new EarlyUse(session);
    use.callConnectAsRarelyAsPossible();
    use.drive(POLLS);
    use.finish();
  }

  /**
   * Two connections wait beside each other: of one the sender comes first where the plugin lets it,
   * of the other the receiver.
   */
  @Rule(value = "NET-CONN-12", needs = Need.V5)
  void theOtherSideComesSecondsLater(NetSession session) {
    session.onNewestLaneOnly();
    session.needsBytes(LENGTH);
    EarlyUse sender = new EarlyUse(session);
    sender.callAcceptAsRarelyAsPossible();
    EarlyUse receiver = new EarlyUse(session);
    receiver.callConnectAsRarelyAsPossible();
    if (!sender.isHalf() && !receiver.isHalf()) {
      throw session.skip("neither side has its comm before the other");
    }
    ConnectAttempts.forAWhile(
        LATE,
        () -> {
          sender.drive(1);
          receiver.drive(1);
          return false;
        });
    sender.finish();
    receiver.finish();
  }

  /** A connection whose comms are used from the moment when they are there. */
  private static final class EarlyUse {
    private final NetSession session;
    private final NetListening listening;
    private final MemorySegment handle;
    private final GuardedArea from;
    private final GuardedArea to;
    private final long seed;
    private final Side sending = new Side();
    private final Side receiving = new Side();
    private @Nullable SendComm send;
    private @Nullable RecvComm recv;

    EarlyUse(NetSession session) {
      this.session = session;
      this.listening = session.listen(0);
      this.handle = session.copyOf(listening.handle());
      this.from = session.area(LENGTH);
      this.to = session.area(LENGTH);
      this.seed = session.random().nextLong();
      from.fill(seed);
      session.atEnd(this::closeHalves);
    }

    /** Returns whether one side has its comm. */
    boolean isHalf() {
      return send != null || recv != null;
    }

    /** Closes what the session does not know yet, where a step has failed. */
    private void closeHalves() {
      SendComm out = send;
      RecvComm in = recv;
      send = null;
      recv = null;
      if (out != null) {
        session.run("NET-CLOSE-02", "closeSend", () -> session.net().closeSend(out));
      }
      if (in != null) {
        session.run("NET-CLOSE-02", "closeRecv", () -> session.net().closeRecv(in));
      }
    }

    boolean connect() {
      if (send == null) {
        send = session.step("NET-CONN-09", "connect", () -> session.net().connect(0, handle));
      }
      return send != null;
    }

    boolean accept() {
      if (recv == null) {
        recv = session.step("NET-CONN-09", "accept", () -> session.net().accept(listening.comm()));
      }
      return recv != null;
    }

    /** As few calls of accept as connect needs to have its comm. */
    void callAcceptAsRarelyAsPossible() {
      for (int i = 0; i < POLLS && send == null && recv == null; i++) {
        if (!ConnectAttempts.forAWhile(A_WHILE / 10, this::connect)) {
          accept();
        }
      }
    }

    /** As few calls of connect as the other side needs to see somebody. */
    void callConnectAsRarelyAsPossible() {
      for (int i = 0; i < POLLS && send == null && recv == null; i++) {
        connect();
        ConnectAttempts.forAWhile(A_WHILE / 10, this::accept);
      }
    }

    void drive(int times) {
      for (int i = 0; i < times; i++) {
        drive();
      }
    }

    /** Makes the connection where it is half there, and looks at what arrives. */
    void finish() {
      session.await(
          "NET-CONN-09",
          "both sides to have their comm",
          () -> {
            boolean connected = connect();
            return accept() && connected;
          });
      session.await(
          session.terms().rule(),
          "a message through comms of which one was used before the other was there",
          () -> {
            drive();
            return sending.done && receiving.done;
          });
      long wrong = to.firstDifference(0, LENGTH, seed);
      session.check(
          wrong < 0, "a message that was sent early arrived wrong at byte %d of %d", wrong, LENGTH);
      NetConnection connection = session.connection(send, recv);
      send = null; // the connection's from here on
      recv = null;
      connection.close();
    }

    private void drive() {
      TestedNet net = session.net();
      String rule = session.terms().rule();
      SendComm sender = send;
      if (sender != null && !sending.done) {
        sending.done =
            session.step(
                rule,
                "a send while the other side may not be there",
                () -> {
                  if (sending.memory == null) {
                    sending.memory = net.regMr(sender, from.memory());
                  }
                  if (sending.request == null) {
                    sending.request = net.isend(sender, sending.memory, 0, LENGTH, 0);
                  }
                  return sending.request != null && net.test(sending.request, null);
                });
      }
      RecvComm receiver = recv;
      if (receiver != null && !receiving.done) {
        receiving.done =
            session.step(
                rule,
                "a receive while the other side may not be there",
                () -> {
                  if (receiving.memory == null) {
                    receiving.memory = net.regMr(receiver, to.memory());
                  }
                  if (receiving.request == null) {
                    receiving.request =
                        net.irecv(
                            receiver,
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
}
