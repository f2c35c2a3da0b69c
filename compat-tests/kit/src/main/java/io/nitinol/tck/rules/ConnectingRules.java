// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.FurtherConnection;
import io.nitinol.tck.scene.ManyConnects;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Seen;
import io.nitinol.tck.session.TestedNet;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * How connections come about: in any order, many at a time, by bytes alone, between any devices.
 */
public final class ConnectingRules {
  private static final int CALLS = 50;
  private static final int MANY_CALLS = 500;
  private static final long MANY_CALLS_TIME = TimeUnit.MILLISECONDS.toNanos(150);
  private static final int MOST_DEVICES = 5;
  private static final int MANY_ATTEMPTS = 48;
  private static final int LENGTH = 512;

  /** So long a peer does nothing. */
  private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(3200);

  /** Tests between two calls of other operations: they are what is made most often. */
  private static final int TESTS = 10_000;

  @Rule("NET-CONN-06")
  void attemptsFromCopiesOfOneHandleAreKeptApart(NetSession session) {
    ManyConnects attempts = new ManyConnects(session, session.listen(0), 8);
    attempts.bringUp();
    attempts.checkEachIsHeardOnce();
  }

  @Rule("NET-CONN-06")
  void theAddressOfAnAbandonedAttemptServesAnother(NetSession session) {
    NetListening abandoned = session.listen(0);
    NetListening wanted = session.listen(0);
    MemorySegment buffer = ConnectAttempts.lastingCopy(abandoned.handle());
    ConnectAttempts.connectOnce(session, buffer);
    buffer.copyFrom(wanted.handle());
    ConnectAttempts.judged(session, buffer, wanted).transfer(512);
  }

  @Rule(value = "NET-CONN-06", needs = Need.V5)
  void theAddressOfAnAttemptAtAClosedListenerServesAnother(NetSession session) {
    NetListening closed = session.listen(0);
    NetListening wanted = session.listen(0);
    MemorySegment buffer = ConnectAttempts.lastingCopy(closed.handle());
    session.run("NET-CLOSE-07", "closeListen", closed::close);
    ConnectAttempts.connectOnce(session, buffer);
    buffer.copyFrom(wanted.handle());
    ConnectAttempts.judged(session, buffer, wanted).transfer(512);
  }

  @Rule(value = "NET-CONN-06", needs = Need.V5)
  void theBytesCountAndNotTheJavaObject(NetSession session) {
    NetListening listening = session.listen(0);
    MemorySegment buffer = session.copyOf(listening.handle());
    ConnectAttempts.driveBoth(
            session,
            listening,
            // Another object for the same memory at each call.
            () ->
                session
                    .net()
                    .connect(
                        0,
                        MemorySegment.ofAddress(buffer.address()).reinterpret(buffer.byteSize())))
        .transfer(512);
  }

  @Rule("NET-CONN-06")
  void oneBufferServesOneAttemptAfterTheOther(NetSession session) {
    NetListening listening = session.listen(0);
    MemorySegment buffer = session.handle();
    for (int i = 0; i < 3; i++) {
      buffer.copyFrom(listening.handle());
      NetConnection connection = ConnectAttempts.judged(session, buffer, listening);
      connection.transfer(512);
    }
  }

  @Rule(value = "NET-CONN-07", needs = Need.V5)
  void connectReturnsAlthoughNobodyAccepts(NetSession session) {
    for (int device = 0; device < Math.min(session.devices(), MOST_DEVICES); device++) {
      NetListening listening = session.listen(device);
      for (int i = 0; i < 4; i++) {
        ConnectAttempts.checkPrompt(
            session, device, "connect with nobody in accept", listening.handle());
      }
    }
  }

  @Rule(value = "NET-CONN-07", needs = Need.V5)
  void connectReturnsAlthoughTheListenerIsClosed(NetSession session) {
    NetListening listening = session.listen(0);
    session.run("NET-CLOSE-07", "closeListen", listening::close);
    ConnectAttempts.checkPrompt(session, 0, "connect to a closed listener", listening.handle());
  }

  @Rule(
      value = "NET-CONN-07",
      needs = {Need.V5, Need.PROCESSES})
  void connectReturnsAlthoughThePeerHasStopped(NetSession session) {
    Peer peer = Peer.start(session);
    MemorySegment handle = peer.listen(0).handle();
    peer.freeze();
    ConnectAttempts.checkPrompt(session, 0, "connect to a process that is stopped", handle);
    peer.kill();
  }

  @Rule(value = "NET-CONN-08", needs = Need.V5)
  void acceptReturnsAlthoughNobodyConnects(NetSession session) {
    for (int device = 0; device < Math.min(session.devices(), MOST_DEVICES); device++) {
      NetListening listening = session.listen(device);
      ConnectAttempts.checkAcceptIsPrompt(session, "accept with nobody connecting", listening);
    }
  }

  @Rule(value = "NET-CONN-08", needs = Need.V5)
  void acceptReturnsAlthoughAttemptsStopHalfWay(NetSession session) {
    NetListening listening = session.listen(0);
    for (int i = 0; i < 4; i++) {
      ConnectAttempts.connectOnce(session, ConnectAttempts.lastingCopy(listening.handle()));
    }
    ConnectAttempts.checkAcceptIsPrompt(
        session, "accept with attempts that have stopped", listening);
  }

  @Rule(
      value = "NET-CONN-08",
      needs = {Need.V5, Need.PROCESSES})
  void acceptReturnsAlthoughAConnectingPeerHasStopped(NetSession session) {
    NetListening listening = session.listen(0);
    Peer peer = Peer.start(session);
    for (int i = 0; i < 4; i++) {
      peer.connecting(0, listening.handle()).advance(0).get();
    }
    peer.freeze();
    ConnectAttempts.checkAcceptIsPrompt(
        session, "accept with attempts of a stopped process", listening);
    peer.kill();
  }

  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void aConnectionComesAboutWhenConnectIsCalledLongBeforeAccept(NetSession session) {
    ManyConnects attempts = new ManyConnects(session, session.listen(0), 1);
    for (int i = 0; i < CALLS; i++) {
      attempts.connect(0);
    }
    attempts.bringUp();
    attempts.checkEachIsHeardOnce();
  }

  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void aConnectionComesAboutWhenAcceptIsCalledLongBeforeConnect(NetSession session) {
    ManyConnects attempts = new ManyConnects(session, session.listen(0), 1);
    for (int i = 0; i < CALLS; i++) {
      attempts.accept();
    }
    attempts.bringUp();
    attempts.checkEachIsHeardOnce();
  }

  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void aConnectionComesAboutInAnyRatioOfCalls(NetSession session) {
    int[][] ratios = {{1, 10}, {10, 1}, {1, 1}, {3, 2}};
    for (int[] ratio : ratios) {
      ManyConnects attempts = new ManyConnects(session, session.listen(0), 1);
      session.await(
          session.terms().rule(),
          ratio[0] + " calls of connect to " + ratio[1] + " of accept to make a connection",
          () -> {
            boolean both = true;
            for (int i = 0; i < ratio[0]; i++) {
              both = attempts.connect(0);
            }
            for (int i = 0; i < ratio[1]; i++) {
              both &= attempts.accept();
            }
            return both && attempts.isConnected(0);
          });
      attempts.checkEachIsHeardOnce();
    }
  }

  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void aConnectionComesAboutIfOneSideIsCalledHundredsOfTimesAsOften(NetSession session) {
    for (boolean often : new boolean[] {false, true}) {
      ManyConnects attempts = new ManyConnects(session, session.listen(0), 1);
      session.await(
          session.terms().rule(),
          "a connection, with %d calls of %s between two of the other side"
              .formatted(MANY_CALLS, often ? "connect" : "accept"),
          () -> {
            boolean connected = often ? manyTimes(() -> attempts.connect(0)) : attempts.connect(0);
            return (often ? attempts.accept() : manyTimes(attempts::accept)) && connected;
          });
      attempts.checkEachIsHeardOnce();
    }
  }

  /** Makes as many calls as there is time for, until one returns true. */
  private static boolean manyTimes(BooleanSupplier call) {
    long end = System.nanoTime() + MANY_CALLS_TIME;
    boolean done = false;
    for (int i = 0; i < MANY_CALLS && !done && System.nanoTime() - end < 0; i++) {
      done = call.getAsBoolean();
    }
    return done;
  }

  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void connectionsComeAboutInARandomOrderOfCalls(NetSession session) {
    Random random = session.random();
    int count = 6;
    ManyConnects attempts = new ManyConnects(session, session.listen(0), count);
    session.await(
        session.terms().rule(),
        count + " connections, called in a random order",
        () -> {
          boolean accepted = random.nextInt(3) == 0 && attempts.accept();
          attempts.connect(random.nextInt(count));
          boolean all = accepted || attempts.accepted() == count;
          for (int i = 0; i < count; i++) {
            all &= attempts.isConnected(i);
          }
          return all;
        });
    attempts.checkEachIsHeardOnce();
  }

  @Rule("NET-CONN-10")
  void oneListenerAcceptsManyConnectionsThatLiveSideBySide(NetSession session) {
    int count = Math.min(session.full() ? 300 : 40, session.properties(0).maxComms() / 2);
    ManyConnects attempts = new ManyConnects(session, session.listen(0), Math.max(1, count));
    attempts.bringUp();
    attempts.checkEachIsHeardOnce();
  }

  @Rule("NET-CONN-10")
  void oneListenerAcceptsOneConnectionAfterTheOther(NetSession session) {
    NetListening listening = session.listen(0);
    for (int i = 0; i < 40; i++) {
      NetConnection connection =
          ConnectAttempts.judged(session, session.copyOf(listening.handle()), listening);
      connection.transfer(64);
      connection.close();
    }
  }

  @Rule(value = "NET-CONN-11", needs = Need.V5)
  void attemptsThatStopHalfWayDelayNoOther(NetSession session) {
    FurtherConnection.checkNotDelayed(
        session,
        "behind attempts that have stopped",
        listening -> {
          for (int i = 0; i < 8; i++) {
            ConnectAttempts.connectOnce(session, ConnectAttempts.lastingCopy(listening.handle()));
            if (i == 3) {
              takeThem(session, listening); // so that some are half accepted and some are not
            }
          }
        });
  }

  /** Attempts that nobody goes on with leave room for those at other listeners. */
  @Rule(value = "NET-CONN-11", needs = Need.V5)
  void manyAttemptsThatStopLeaveRoomForOthers(NetSession session) {
    NetListening still = session.listen(0);
    int attempts = Math.min(MANY_ATTEMPTS, session.properties(0).maxComms() / 4);
    for (int i = 0; i < attempts; i++) {
      ConnectAttempts.connectOnce(session, ConnectAttempts.lastingCopy(still.handle()));
    }
    ConnectAttempts.asOwn(
        session,
        "after " + attempts + " attempts at another listener that have stopped: ",
        () -> session.connect().transfer(512));
  }

  /** Nothing on this side takes a peer that lives, and is slow, for one that is gone. */
  @Rule(value = "NET-CONN-09", needs = Need.V5)
  void aPeerMayBeSlow(NetSession session) {
    session.onNewestLaneOnly();
    TestedNet net = session.net();
    NetListening listening = session.listen(session.receivingDevice());
    MemorySegment handle = session.copyOf(listening.handle());
    Seen<SendComm> send = new Seen<>();
    SlotTraffic early = new SlotTraffic(session, 1, LENGTH);
    Seen<Request> sending = new Seen<>();
    SlotTraffic late = new SlotTraffic(session, 1, LENGTH);
    late.post(0, LENGTH);
    TestedNet bare = session.bare();
    Request receiving = late.takeReceive();
    long end = System.nanoTime() + SLOW;
    while (System.nanoTime() - end < 0) {
      send.by(() ->
          session.step(
              "NET-CONN-09", "connect while accept is not called", () -> net.connect(0, handle)));
      sending.by(() ->
          session.step(
              "NET-SEND-02",
              "isend while no receive is posted",
              () ->
                  early
                      .connection()
                      .sender()
                      .isend(
                          early.connection().send(), early.fromMr(), 0, LENGTH, SlotTraffic.TAG)));
      for (int i = 0; i < TESTS; i++) {
        session.require(
            "NET-TEST-05",
            !bare.test(receiving, null),
            "a receive was complete before its message was sent");
      }
    }
    Seen<RecvComm> recv = new Seen<>();
    session.await(
        "NET-CONN-09",
        "a connection whose accept is called late",
        () -> {
          boolean connected =
              send.by(() -> session.step("NET-CONN-09", "connect", () -> net.connect(0, handle)));
          return recv.by(
                  () -> session.step("NET-CONN-09", "accept", () -> net.accept(listening.comm())))
              && connected;
        });
    session.connection(send.get(), recv.get()).transfer(LENGTH);
    Request posted = early.connection().irecv(early.toMr(), 0, LENGTH, SlotTraffic.TAG);
    session.await(
        "NET-SEND-02",
        "room for a send whose receive is posted late",
        () -> {
          boolean taken =
              sending.by(() ->
                  early
                      .connection()
                      .sender()
                      .isend(
                          early.connection().send(), early.fromMr(), 0, LENGTH, SlotTraffic.TAG));
          // Some plugins get no further without a test.
          session.require(
              "NET-TEST-05",
              taken || !early.connection().testRecv(posted, null),
              "a receive was complete before its message was sent");
          return taken;
        });
    early.connection().finish(sending.get(), posted, 1);
    Request sent = late.connection().isend(late.fromMr(), 0, LENGTH, SlotTraffic.TAG, receiving);
    late.connection().finish(sent, receiving, 1);
  }

  @Rule(
      value = "NET-CONN-11",
      needs = {Need.V5, Need.PROCESSES})
  void aProcessThatStopsHalfWayDelaysNoOther(NetSession session) {
    Peer peer = Peer.start(session);
    FurtherConnection.checkNotDelayed(
        session,
        "behind attempts of a process that has stopped",
        listening -> {
          peer.thaw();
          for (int i = 0; i < 8; i++) {
            peer.connecting(0, listening.handle()).advance(0).get();
            if (i == 3) {
              takeThem(session, listening);
            }
          }
          peer.freeze();
        });
    peer.kill();
  }

  /** Lets the listener look at the attempts so far, before those that it has yet to see. */
  private static void takeThem(NetSession session, NetListening listening) {
    for (int i = 0; i < 4; i++) {
      RecvComm comm = ConnectAttempts.acceptAny(session, listening);
      if (comm != null) {
        session.atEnd(
            () -> session.run("NET-CLOSE-06", "closeRecv", () -> session.net().closeRecv(comm)));
      }
    }
  }

  @Rule("NET-CONN-20")
  void everyDeviceConnectsToItself(NetSession session) {
    plainly(session);
    for (int device = 0; device < Math.min(session.devices(), 2 * MOST_DEVICES); device++) {
      connectDevices(session, device, device);
    }
  }

  @Rule(value = "NET-CONN-20", needs = Need.TWO_DEVICES)
  void everyDeviceConnectsToEveryOther(NetSession session) {
    plainly(session);
    int devices = Math.min(session.devices(), MOST_DEVICES);
    for (int from = 0; from < devices; from++) {
      for (int to = 0; to < devices; to++) {
        if (from != to) {
          connectDevices(session, from, to);
        }
      }
    }
  }

  /** Where no connection works at all, another rule is broken, and the test is blocked by it. */
  private static void plainly(NetSession session) {
    session.connect().transfer(512);
  }

  private static void connectDevices(NetSession session, int from, int to) {
    ConnectAttempts.asOwn(
        session,
        "from device " + from + " to device " + to + ", ",
        () -> session.connect(from, to).transfer(512));
  }

  @Rule(
      value = "NET-CONN-20",
      needs = {Need.TWO_DEVICES, Need.PROCESSES})
  void everyDeviceConnectsToEveryOneOfAnotherProcess(NetSession session) {
    Peer peer = Peer.start(session);
    int devices = Math.min(session.devices(), 3);
    for (int here = 0; here < devices; here++) {
      for (int there = 0; there < devices; there++) {
        ToPeer connection = ToPeer.connect(peer, here, there);
        connection.transfer(512);
      }
    }
    peer.release();
  }

  @Rule("NET-CONN-21")
  void twoDirectionsAreTwoConnections(NetSession session) {
    NetConnection there = session.connect();
    NetConnection back = session.connect();
    there.transfer(4096);
    back.transfer(4096);
    there.close();
    ConnectAttempts.asOwn(
        session, "when the connection the other way was closed, ", () -> back.transfer(4096));
  }

  @Rule(value = "NET-CONN-21", needs = Need.PROCESSES)
  void twoDirectionsBetweenTwoProcessesAreTwoConnections(NetSession session) {
    Peer peer = Peer.start(session);
    ToPeer there = ToPeer.connect(peer);
    FromPeer back = FromPeer.connect(peer);
    there.transfer(4096);
    back.transfer(4096);
    there.close();
    there.there().close();
    ConnectAttempts.asOwn(
        session, "when the connection the other way was closed, ", () -> back.transfer(4096));
    peer.release();
  }
}
