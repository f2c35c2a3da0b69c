// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.CloseBound;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.ExpectedFailures;
import io.nitinol.tck.scene.ThreadBarrier;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closing a comm: which operations end, when, and which go on. */
public final class ClosingRules {
  private static final long WATCH = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long HALF_WAY = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int BIG = 4 << 20;

  /** Two closes that end just before the kit gives them up, in each of three tries. */
  private static final int MOST = 90;

  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesWithReceivesInFlight(NetSession session) {
    CloseBound.check(session, watch -> withReceivesInFlight(session, watch));
  }

  private static void withReceivesInFlight(NetSession session, CloseBound watch) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(32 * 4096));
    for (int i = 0; i < 8; i++) {
      connection.irecv(mr, i * 4096L, 4096, i);
    }
    closes(session, watch, "closeRecv with 8 receives in flight", connection::closeRecv);
    closes(session, watch, "closeSend after it", connection::closeSend);
  }

  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesWithSendsInFlight(NetSession session) {
    CloseBound.check(session, watch -> withSendsInFlight(session, watch));
  }

  private static void withSendsInFlight(NetSession session, CloseBound watch) {
    NetConnection connection = session.connect();
    startSends(session, connection, connection.registerSend(session.area(BIG)), 4);
    closes(session, watch, "closeSend with sends of 4 MiB in flight", connection::closeSend);
    closes(session, watch, "closeRecv after it", connection::closeRecv);
  }

  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesInTheMiddleOfMessages(NetSession session) {
    for (boolean sendFirst : new boolean[] {true, false}) {
      CloseBound.check(session, watch -> inTheMiddle(session, watch, sendFirst));
    }
  }

  private static void inTheMiddle(NetSession session, CloseBound watch, boolean sendFirst) {
    NetConnection connection = session.connect();
    MemoryHandle recvMr = connection.registerRecv(session.area(BIG));
    MemoryHandle sendMr = connection.registerSend(session.area(BIG));
    Request receiving = connection.irecv(recvMr, 0, session.cut(BIG), 0);
    List<Request> sends = startSends(session, connection, sendMr, 2);
    if (!sends.isEmpty()) {
      connection.testSend(sends.getFirst(), null);
    }
    connection.testRecv(receiving, null);
    if (sendFirst) {
      closes(session, watch, "closeSend in the middle of a message", connection::closeSend);
      closes(session, watch, "closeRecv after it", connection::closeRecv);
    } else {
      closes(session, watch, "closeRecv in the middle of a message", connection::closeRecv);
      closes(session, watch, "closeSend after it", connection::closeSend);
    }
  }

  /** A connection is closed although accept was never called for its other side. */
  @Rule(value = "NET-CLOSE-02", seconds = MOST)
  void closesBeforeTheOtherSideHasItsComm(NetSession session) {
    CloseBound.check(session, watch -> beforeTheOtherSideHasItsComm(session, watch));
  }

  private static void beforeTheOtherSideHasItsComm(NetSession session, CloseBound watch) {
    NetListening listening = session.listen(0);
    TestedNet net = session.net();
    MemorySegment handle = session.copyOf(listening.handle());
    @Nullable SendComm[] early = new SendComm[1];
    NetSession.within(
        WATCH,
        () -> {
          early[0] = session.step("NET-CONN-07", "connect", () -> net.connect(0, handle));
          return early[0] != null;
        });
    SendComm comm = early[0];
    if (comm == null) {
      throw session.skip("connect gives no comm before the other side accepts");
    }
    closes(
        session, watch, "closeSend before the other side has accepted", () -> net.closeSend(comm));
    closes(session, watch, "closeListen after it", listening::close);
  }

  /** Some callers of connect have stopped calling, others never learn that they were accepted. */
  @Rule(value = "NET-CLOSE-02", needs = Need.V5, seconds = MOST)
  void closesAListenerWithHalfAcceptedConnections(NetSession session) {
    CloseBound.check(session, watch -> withHalfAcceptedConnections(session, watch));
  }

  private static void withHalfAcceptedConnections(NetSession session, CloseBound watch) {
    NetListening listening = session.listen(0);
    TestedNet net = session.net();
    for (int i = 0; i < 3; i++) {
      ConnectAttempts.connectOnce(session, ConnectAttempts.lastingCopy(listening.handle()));
    }
    ConnectAttempts.forAWhile(
        HALF_WAY,
        () -> {
          RecvComm comm = session.step("NET-CONN-08", "accept", () -> net.accept(listening.comm()));
          if (comm != null) {
            session.atEnd(
                () -> session.run("NET-CLOSE-02", "closeRecv", () -> net.closeRecv(comm)));
          }
          return false;
        });
    closes(session, watch, "closeListen with half-accepted connections", listening::close);
  }

  private static void closes(NetSession session, CloseBound watch, String what, Runnable close) {
    watch.timed(
        what,
        () -> {
          try {
            close.run();
          } catch (NetException e) {
            throw session.broken(what + " failed with " + e.result() + ": " + e.getMessage());
          }
        });
  }

  /** Starts sends without receives, as many as there is room for. */
  private static List<Request> startSends(
      NetSession session, NetConnection connection, MemoryHandle mr, int count) {
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Request request =
          session.step(
              "NET-SEND-08",
              "isend",
              () -> connection.sender().isend(connection.send(), mr, 0, session.cut(BIG), 0));
      if (request != null) {
        sends.add(request);
      }
    }
    return sends;
  }

  @Rule("NET-CLOSE-03")
  void memoryOfReceivesIsLeftAloneAfterTheClose(NetSession session) {
    NetConnection connection = session.connect();
    GuardedArea from = session.area(BIG);
    from.set((byte) 0x5A);
    GuardedArea to = session.area(BIG);
    to.set((byte) 0);
    MemoryHandle sendMr = connection.registerSend(from);
    MemoryHandle recvMr = connection.registerRecv(to);
    Request receiving = connection.irecv(recvMr, 0, session.cut(BIG), 0);
    Request sending = connection.isend(sendMr, 0, session.cut(BIG), 0, receiving);
    boolean[] gone = {connection.testSend(sending, null)};
    connection.testRecv(receiving, null);
    connection.closeRecv();
    long seed = session.random().nextLong();
    to.fill(seed);
    NetSession.within(
        WATCH,
        () -> {
          if (!gone[0]) {
            try {
              gone[0] = connection.sender().test(sending, null);
            } catch (NetException e) {
              gone[0] = true; // as it may: the peer has closed
            }
          }
          long changed = to.firstDifference(0, BIG, seed);
          session.check(
              changed < 0, "byte %d of a receive was written after closeRecv returned", changed);
          return false;
        });
  }

  @Rule("NET-CLOSE-03")
  void memoryOfSendsIsNotReadAfterTheClose(NetSession session) {
    NetConnection connection = session.connect();
    long big = session.cut(BIG);
    GuardedArea from = session.area(big);
    GuardedArea to = session.area(big);
    long seed = session.random().nextLong();
    from.fill(seed);
    Request receiving = connection.irecv(connection.registerRecv(to), 0, big, 0);
    Request sending = connection.isend(connection.registerSend(from), 0, big, 0, receiving);
    connection.testSend(sending, null);
    connection.closeSend();
    from.set((byte) 0);
    boolean[] complete = new boolean[1];
    NetSession.within(
        session.terms().patience().nanos(),
        () -> {
          try {
            complete[0] = connection.receiver().test(receiving, null);
            return complete[0];
          } catch (NetException e) {
            return true; // the rest of the message does not come any more
          }
        });
    if (complete[0]) {
      long wrong = to.firstDifference(0, big, seed);
      session.check(
          wrong < 0,
          "a message that arrived after closeSend has at byte %d what was written after the close",
          wrong);
    }
  }

  @Rule("NET-CLOSE-05")
  void aReceiveWhoseSenderClosesFails(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerRecv(session.area(4096));
    Request receiving = connection.irecv(mr, 0, 4096, 0);
    connection.closeSend();
    isRemote(
        session,
        ExpectedFailures.await(
            session,
            "NET-CLOSE-05",
            "a receive whose sender has closed",
            () -> connection.receiver().test(receiving, null)));
  }

  @Rule("NET-CLOSE-05")
  void aSenderWhoseReceiverClosesFails(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle mr = connection.registerSend(session.area(1 << 20));
    connection.closeRecv();
    isRemote(session, ExpectedFailures.sendUntilFailure(session, connection, mr));
  }

  @Rule("NET-CLOSE-05")
  void aSenderInTheMiddleOfAMessageFails(NetSession session) {
    NetConnection connection = session.connect();
    MemoryHandle sendMr = connection.registerSend(session.area(BIG));
    MemoryHandle recvMr = connection.registerRecv(session.area(BIG));
    Request receiving = connection.irecv(recvMr, 0, session.cut(BIG), 0);
    startSends(session, connection, sendMr, 1);
    connection.testRecv(receiving, null);
    connection.closeRecv();
    isRemote(session, ExpectedFailures.sendUntilFailure(session, connection, sendMr));
  }

  private static void isRemote(NetSession session, NetException failure) {
    session.code(
        session.terms().rule(),
        "an operation of the peer of a closed comm",
        failure,
        ResultCode.REMOTE_ERROR);
  }

  @Rule("NET-CLOSE-06")
  void closesAfterThePeerHas(NetSession session) {
    NetConnection first = session.connect();
    first.transfer(4096);
    ends(session, "closeSend", first::closeSend);
    ends(session, "closeRecv when the sender has closed", first::closeRecv);
    NetConnection second = session.connect();
    second.transfer(4096);
    ends(session, "closeRecv", second::closeRecv);
    ends(session, "closeSend when the receiver has closed", second::closeSend);
  }

  @Rule("NET-CLOSE-06")
  void closesWhatHasFailed(NetSession session) {
    NetConnection receiver = session.connect();
    MemoryHandle mr = receiver.registerRecv(session.area(4096));
    Request receiving = receiver.irecv(mr, 0, 64, 0);
    receiver.closeSend();
    ExpectedFailures.await(
        session,
        "NET-CLOSE-05",
        "a receive whose sender has closed",
        () -> receiver.receiver().test(receiving, null));
    ends(session, "closeRecv of a failed comm", receiver::closeRecv);
    NetConnection sender = session.connect();
    MemoryHandle sendMr = sender.registerSend(session.area(1 << 20));
    sender.closeRecv();
    ExpectedFailures.sendUntilFailure(session, sender, sendMr);
    ends(session, "closeSend of a failed comm", sender::closeSend);
  }

  @Rule("NET-CLOSE-06")
  void bothEndsCloseAtTheSameTime(NetSession session) {
    for (int round = 0; round < 20; round++) {
      NetConnection connection = session.connect();
      if (round % 2 == 0) {
        connection.transfer(4096);
      }
      CyclicBarrier together = new CyclicBarrier(2);
      SideThread other =
          SideThread.start(
              "closeRecv",
              () -> {
                ThreadBarrier.at(together);
                ends(session, "closeRecv beside closeSend", connection::closeRecv);
              });
      ThreadBarrier.at(together);
      ends(session, "closeSend beside closeRecv", connection::closeSend);
      other.join(session.terms().patience().nanos());
    }
  }

  private static void ends(NetSession session, String what, Runnable close) {
    try {
      close.run();
    } catch (RuntimeException e) {
      throw session.broken(what + ": " + e.getMessage());
    }
  }
}
