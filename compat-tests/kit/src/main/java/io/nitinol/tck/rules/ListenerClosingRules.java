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
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerListener;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.ExpectedFailures;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Seen;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the close of a listener ends, and what it does not touch. */
public final class ListenerClosingRules {
  /**
   * For so long messages go to and from another process whose listener was closed: plugins look
   * some times a second whether a process is there.
   */
  private static final long LOOKING = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long CONNECT = TimeUnit.SECONDS.toNanos(60);
  private static final long HALF_WAY = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long BOTH_CALLED = TimeUnit.MILLISECONDS.toNanos(500);

  /** How many more times, at most, the test calls accept once the connector has its comm. */
  private static final int FURTHER = 1;

  @Rule("NET-CLOSE-07")
  void acceptedCommsLiveOn(NetSession session) {
    TestedNet net = session.net();
    NetListening listening = session.listen(0);
    NetConnection idle = session.connect(net, 0, listening);
    NetConnection busy = session.connect(net, 0, listening);
    Request receiving = busy.irecv(busy.registerRecv(session.area(4096)), 0, 4096, 0);
    listening.close();
    try {
      idle.transfer(4096);
      Request sending = busy.isend(busy.registerSend(session.area(4096)), 0, 4096, 0, receiving);
      busy.finish(sending, receiving, 1);
    } catch (RuntimeException e) {
      throw session.broken("a comm accepted before closeListen fails after it: " + e.getMessage());
    }
  }

  /** The same where the other sides are in another process, whose end a plugin may look for. */
  @Rule(value = "NET-CLOSE-07", needs = Need.PROCESSES)
  void acceptedCommsOfAnotherProcessLiveOn(NetSession session) {
    int device = session.receivingDevice();
    long length = session.cut(4096);
    Peer peer = Peer.start(session);
    NetListening here = session.listen(device);
    FromPeer first = FromPeer.connect(peer, 0, here);
    FromPeer second = FromPeer.connect(peer, 0, here);
    PeerListener there = peer.listen(device);
    ToPeer to = ToPeer.connect(peer, 0, there);
    here.close();
    there.close();
    livesOn(session, () -> first.transfer(length));
    // The listener and a comm may hold the same thing, and let go of it one after the other.
    first.close();
    livesOn(
        session,
        () -> {
          second.transfer(length);
          to.transfer(length);
        });
  }

  private static void livesOn(NetSession session, Runnable transfer) {
    try {
      long end = System.nanoTime() + LOOKING;
      do {
        transfer.run();
      } while (System.nanoTime() - end < 0);
    } catch (RuntimeException e) {
      throw session.broken(
          "a comm between processes accepted before closeListen fails after it: " + e.getMessage());
    }
  }

  @Rule("NET-CLOSE-07")
  void listenersAreIndependent(NetSession session) {
    NetListening closed = session.listen(0);
    NetListening open = session.listen(0);
    closed.close();
    try {
      session.connect(session.net(), 0, open).transfer(4096);
    } catch (RuntimeException e) {
      throw session.broken("the close of one listener ends another: " + e.getMessage());
    }
  }

  @Rule(value = "NET-CLOSE-07", needs = Need.V5)
  void halfAcceptedConnectionsOfAnotherListenerLiveOn(NetSession session) {
    TestedNet net = session.net();
    NetListening closed = session.listen(0);
    NetListening open = session.listen(0);
    MemorySegment here = session.copyOf(open.handle());
    MemorySegment there = ConnectAttempts.lastingCopy(closed.handle());
    boolean[] over = new boolean[1];
    Seen<SendComm> send = new Seen<>();
    @Nullable RecvComm[] recv = new RecvComm[1];
    NetSession.within(
        HALF_WAY,
        () -> {
          boolean connected =
              send.by(() -> session.step("NET-CONN-07", "connect", () -> net.connect(0, here)));
          over[0] = over[0] || ConnectAttempts.connectOnce(session, there);
          return connected && over[0];
        });
    accept(session, open, recv);
    RecvComm other = ConnectAttempts.acceptAny(session, closed);
    closed.close();
    ConnectAttempts.asOwn(
        session,
        "half-way when another listener was closed, ",
        () -> {
          session.await(
              "NET-CONN-09",
              "a connection",
              () -> {
                boolean connected =
                    send.by(
                        () -> session.step("NET-CONN-09", "connect", () -> net.connect(0, here)));
                accept(session, open, recv);
                return connected && recv[0] != null;
              });
          session.connection(send.get(), recv[0]).transfer(4096);
        });
    if (other != null) {
      session.run("NET-CLOSE-06", "closeRecv", () -> net.closeRecv(other));
    }
  }

  /** A receive comm whose sender has closed already is told, like one that was there before. */
  @Rule(value = "NET-CLOSE-05", needs = Need.V5)
  void aSenderMayCloseBeforeAcceptAnswers(NetSession session) {
    TestedNet net = session.net();
    NetListening listening = session.listen(0);
    MemorySegment handle = session.copyOf(listening.handle());
    @Nullable SendComm[] send = new SendComm[1];
    @Nullable RecvComm[] recv = new RecvComm[1];
    NetSession.within(
        BOTH_CALLED,
        () -> {
          send[0] = session.step("NET-CONN-07", "connect", () -> net.connect(0, handle));
          if (send[0] == null) {
            accept(session, listening, recv);
          }
          return send[0] != null;
        });
    SendComm connected = send[0];
    if (connected != null) {
      session.run("NET-CLOSE-02", "closeSend", () -> net.closeSend(connected));
    }
    boolean early = recv[0] == null && connected != null;
    ConnectAttempts.forAWhile(
        BOTH_CALLED,
        () -> {
          if (recv[0] == null) {
            recv[0] = ConnectAttempts.acceptAny(session, listening);
          }
          return recv[0] != null;
        });
    RecvComm whole = recv[0];
    if (whole == null) {
      return; // the connection was dropped
    }
    session.atEnd(() -> session.run("NET-CLOSE-06", "closeRecv", () -> net.closeRecv(whole)));
    if (!early) {
      throw session.skip("no connector had its comm before the acceptor");
    }
    GuardedArea area = session.area(4096);
    Seen<MemoryHandle> mr = new Seen<>();
    Seen<Request> receiving = new Seen<>();
    NetException failure =
        ExpectedFailures.await(
            session,
            "NET-CLOSE-05",
            "a receive from a sender that closed before accept had answered",
            () ->
                mr.by(() -> net.regMr(whole, area.memory()))
                    && receiving.by(() ->
                        net.irecv(
                            whole,
                            1,
                            new MemoryHandle[] {mr.get()},
                            new long[1],
                            new long[] {session.cut(64)},
                            new int[1]))
                    && net.test(receiving.get(), null));
    session.code(
        "NET-CLOSE-05",
        "a receive from a sender that closed before accept had answered",
        failure,
        ResultCode.REMOTE_ERROR);
  }

  /**
   * An attempt that was not accepted fails once the listener is closed, or gives a comm that fails.
   */
  @Rule(value = "NET-CLOSE-07", needs = Need.V5, seconds = 90)
  void whatIsHalfAcceptedIsDropped(NetSession session) {
    NetListening listening = session.listen(0);
    TestedNet net = session.net();
    MemorySegment handle = session.copyOf(listening.handle());
    @Nullable SendComm[] comm = new SendComm[1];
    NetSession.within(
        HALF_WAY,
        () -> {
          comm[0] = session.step("NET-CONN-07", "connect", () -> net.connect(0, handle));
          return comm[0] != null;
        });
    listening.close();
    checkItEnds(session, net, handle, comm);
  }

  /** The same where the acceptor has been called too, and only the connector has its comm yet. */
  @Rule(value = "NET-CLOSE-07", needs = Need.V5, seconds = 150)
  void aConnectorThatHasItsCommIsTold(NetSession session) {
    TestedNet net = session.net();
    boolean looked = false;
    for (int further = 0; further <= FURTHER; further++) {
      NetListening listening = session.listen(0);
      MemorySegment handle = session.copyOf(listening.handle());
      @Nullable SendComm[] comm = new SendComm[1];
      @Nullable RecvComm[] accepted = new RecvComm[1];
      NetSession.within(
          BOTH_CALLED,
          () -> {
            comm[0] = session.step("NET-CONN-07", "connect", () -> net.connect(0, handle));
            if (comm[0] == null) {
              accept(session, listening, accepted);
            }
            return comm[0] != null;
          });
      for (int i = 0; i < further; i++) {
        accept(session, listening, accepted);
      }
      RecvComm whole = accepted[0];
      looked |= comm[0] != null && whole == null;
      if (whole != null) {
        session.run("NET-CLOSE-02", "closeRecv", () -> net.closeRecv(whole));
      }
      listening.close();
      checkItEnds(session, net, handle, comm);
    }
    if (!looked) {
      throw session.skip("no connector had its comm before the acceptor");
    }
  }

  private static void accept(
      NetSession session, NetListening listening, @Nullable RecvComm[] accepted) {
    if (accepted[0] == null) {
      accepted[0] =
          session.step("NET-CONN-08", "accept", () -> session.net().accept(listening.comm()));
    }
  }

  /** Goes on with an attempt at a listener that was closed, and with the comm that it may give. */
  private static void checkItEnds(
      NetSession session, TestedNet net, MemorySegment handle, @Nullable SendComm[] comm) {
    @Nullable NetException[] failure = new NetException[1];
    if (comm[0] == null) {
      NetSession.within(
          session.patient(CONNECT),
          () -> {
            try {
              comm[0] = net.connect(0, handle);
            } catch (NetException e) {
              failure[0] = e;
            }
            return comm[0] != null || failure[0] != null;
          });
      session.check(
          comm[0] != null || failure[0] != null,
          "connect to a closed listener is still null after 60 s");
    }
    SendComm half = comm[0];
    if (half != null) {
      try {
        // Where this fails, the rule of closed peers is broken, and no listener has to do with it.
        NetConnection whole = session.connect();
        whole.closeRecv();
        ExpectedFailures.sendUntilFailure(session, net, whole.send());
        ConnectAttempts.asOwn(
            session,
            "on a comm of a half-accepted connection, ",
            () -> ExpectedFailures.sendUntilFailure(session, net, half));
      } finally {
        session.run("NET-CLOSE-06", "closeSend of a failed comm", () -> net.closeSend(half));
      }
    } else if (failure[0] != null) {
      ResultCode code = failure[0].result();
      session.require(
          "NET-CONN-14",
          code == ResultCode.REMOTE_ERROR || code == ResultCode.TIMEOUT,
          "connect to a closed listener failed with %s, expected REMOTE_ERROR or TIMEOUT",
          code);
    }
  }
}
