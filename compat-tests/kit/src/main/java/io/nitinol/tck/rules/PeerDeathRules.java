// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerEnd;
import io.nitinol.tck.peer.PeerListener;
import io.nitinol.tck.peer.PeerRequest;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.DeadPeerPolls;
import io.nitinol.tck.scene.DeathWatch;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of the peer ends at every stage of a connection. Each test has several connections
 * with one peer, each at another stage, and kills it.
 */
public final class PeerDeathRules {
  private static final long LENGTH = 4096;
  private static final int SEVERAL = 8;

  /**
   * A message that is larger than the buffers of a connection, so that the peer ends in the middle
   * of it. The buffers of many sockets may take it whole, and then it is complete there.
   */
  private static final long LARGE = 32L << 20;

  /** How long the beginning of a connection may take to give one side its comm. */
  private static final long A_WHILE = TimeUnit.MILLISECONDS.toNanos(200);

  @Rule(value = "NET-ERR-07", needs = Need.PROCESSES)
  void receivesFailWhenTheSenderIsKilled(NetSession session) {
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);
    watchReceives(session, peer, watch);
    peer.kill();
    watch.check();
  }

  @Rule(value = "NET-ERR-07", needs = Need.PROCESSES)
  void sendsFailWhenTheReceiverIsKilled(NetSession session) {
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);
    watchSends(session, peer, watch);
    peer.kill();
    watch.check();
  }

  @Rule(value = "NET-ERR-07", needs = Need.PROCESSES)
  void bothFailWhenThePeerEndsByItselfWithoutAClose(NetSession session) {
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);
    watchReceives(session, peer, watch);
    watchSends(session, peer, watch);
    peer.exit();
    watch.check();
  }

  @Rule(value = "NET-ERR-07", needs = Need.PROCESSES)
  void bothFailWhenThePeerHasStoppedAndIsThenKilled(NetSession session) {
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);
    ToPeer there = ToPeer.connect(peer);
    FromPeer here = FromPeer.connect(peer);
    peer.freeze();
    watch.add("a send comm at rest", DeadPeerPolls.sending(session, there.comm()));
    watch.add("a receive comm at rest", DeadPeerPolls.receiving(session, here.comm()));
    peer.kill();
    watch.check();
  }

  @Rule(
      value = "NET-ERR-07",
      needs = {Need.PROCESSES, Need.MULTI_RECEIVE})
  void aMultiReceiveFailsWhenTheSenderIsKilledAfterOneOfItsMessages(NetSession session) {
    long length = session.cut(LENGTH);
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);
    FromPeer connection = FromPeer.connect(peer);
    GuardedArea area = session.area(2 * length);
    MemoryHandle mr = connection.register(area);
    Request receive =
        connection.irecv(
            new MemoryHandle[] {mr, mr},
            new long[] {0, length},
            new long[] {length, length},
            new int[] {1, 2});
    PeerRequest sent = connection.there().send(length, 1, 2);
    Runnable test =
        () ->
            session.check(
                !session.net().test(receive, null),
                "a receive of 2 pieces was complete after 1 message");
    sent.awaitTaken(session, test);
    for (int i = 0; i < SEVERAL && !isDone(sent); i++) {
      test.run();
    }
    watch.add(
        "a receive of 2 pieces with one filled",
        DeadPeerPolls.receiving(session, "a receive of 2 pieces with one filled", receive));
    peer.kill();
    watch.check();
  }

  @Rule(
      value = "NET-ERR-07",
      needs = {Need.PROCESSES, Need.V5})
  void commsFailWhoseOtherSideWasKilledBeforeItHadOne(NetSession session) {
    Peer peer = Peer.start(session);
    DeathWatch watch = new DeathWatch(session);

    PeerListener there = peer.listen(0);
    MemorySegment handle = session.copyOf(there.handle());
    @Nullable SendComm[] send = new SendComm[1];
    ConnectAttempts.forAWhile(
        A_WHILE,
        () -> {
          send[0] = session.step("NET-CONN-04", "connect", () -> session.net().connect(0, handle));
          return send[0] != null;
        });
    SendComm sending = send[0];
    if (sending != null) {
      session.atEnd(
          () -> session.run("NET-CLOSE-06", "closeSend", () -> session.net().closeSend(sending)));
      watch.add("a send comm that was never accepted", DeadPeerPolls.sending(session, sending));
    }

    NetListening here = session.listen(0);
    PeerEnd half = peer.connecting(0, here.handle());
    half.advance(0).get();
    PeerEnd whole = peer.connecting(0, here.handle());
    whole.advance(TimeUnit.NANOSECONDS.toMillis(A_WHILE)).get();
    peer.kill();
    // Whether such a connection is ever accepted is open, but what is must fail.
    for (int i = 0; i < 2; i++) {
      @Nullable RecvComm[] recv = new RecvComm[1];
      ConnectAttempts.forAWhile(
          A_WHILE / 2,
          () -> {
            recv[0] = ConnectAttempts.acceptAny(session, here);
            return recv[0] != null;
          });
      RecvComm receiving = recv[0];
      if (receiving != null) {
        session.atEnd(() ->
            session.run("NET-CLOSE-06", "closeRecv", () -> session.net().closeRecv(receiving)));
        watch.add(
            "a receive comm accepted after the death", DeadPeerPolls.receiving(session, receiving));
      }
    }
    watch.check();
  }

  @Rule(value = "NET-ERR-09", needs = Need.PROCESSES)
  void messagesOfAPeerThatIsKilledArriveWholeOrNotAtAll(NetSession session) {
    for (int round = 0; round < 3; round++) {
      Peer peer = Peer.start(session);
      FromPeer connection = FromPeer.connect(peer);
      long[] lengths = {session.cut(LENGTH), session.cut(64L * LENGTH), session.cut(LARGE)};
      long seed = session.random().nextLong();
      DeathWatch watch = new DeathWatch(session);
      Request[] receives = new Request[lengths.length];
      for (int i = 0; i < lengths.length; i++) {
        GuardedArea room = session.area(lengths[i]);
        receives[i] = connection.irecv(connection.register(room), 0, lengths[i], 0);
        String what = "message " + i + " of a peer that was killed while it sent message 2,";
        watch.add(
            what,
            DeadPeerPolls.receivingWhole(session, receives[i], what, room, lengths[i], seed + i));
      }
      PeerRequest last = connection.there().send(lengths[0], seed, 0);
      for (int i = 1; i < lengths.length; i++) {
        last.awaitTaken(session, watch::drive);
        last = connection.there().send(lengths[i], seed + i, 0);
      }
      last.awaitTaken(session, watch::drive);
      boolean done = false;
      for (int i = 0; i < round && !done; i++) {
        done = isDone(last);
      }
      peer.kill();
      watch.check();
    }
  }

  private static void watchReceives(NetSession session, Peer peer, DeathWatch watch) {
    long length = session.cut(LENGTH);
    watch.add(
        "a receive comm at rest", DeadPeerPolls.receiving(session, FromPeer.connect(peer).comm()));

    FromPeer posted = FromPeer.connect(peer);
    MemoryHandle mr = posted.register(session.area(SEVERAL * length));
    for (int i = 0; i < SEVERAL; i++) {
      String stage = "receive " + i + " of " + SEVERAL + " for which nothing was sent";
      Request receive = posted.irecv(mr, i * length, length, 0);
      watch.add(stage, DeadPeerPolls.receiving(session, stage, receive));
    }

    FromPeer used = FromPeer.connect(peer);
    used.transfer(length);
    watch.add(
        "a receive comm whose messages had all arrived",
        DeadPeerPolls.receiving(session, used.comm()));

    FromPeer large = FromPeer.connect(peer);
    long most = session.cut(LARGE);
    GuardedArea room = session.area(most);
    Request receive = large.irecv(large.register(room), 0, most, 0);
    PeerRequest send = large.there().send(most, 1, 0);
    boolean[] early = new boolean[1];
    Runnable test =
        () ->
            early[0] =
                early[0]
                    || session.step("NET-TEST-02", "test", () -> session.net().test(receive, null));
    send.awaitTaken(session, test);
    for (int i = 0; i < 2; i++) {
      test.run();
      if (early[0]) {
        return; // a network that is that fast leaves nothing half-way
      }
      if (isDone(send)) {
        break;
      }
    }
    String partly = "a receive in the middle of a message";
    watch.add(partly, DeadPeerPolls.receivingWhole(session, receive, partly, room, most, 1));
  }

  private static void watchSends(NetSession session, Peer peer, DeathWatch watch) {
    long length = session.cut(LENGTH);
    watch.add("a send comm at rest", DeadPeerPolls.sending(session, ToPeer.connect(peer).comm()));

    ToPeer used = ToPeer.connect(peer);
    used.transfer(length);
    watch.add(
        "a send comm whose messages had all arrived", DeadPeerPolls.sending(session, used.comm()));

    ToPeer posted = ToPeer.connect(peer);
    MemoryHandle mr = posted.register(session.area(length));
    for (int i = 0; i < SEVERAL; i++) {
      posted.there().receive(length);
      Request send = posted.isend(mr, 0, length, 0);
      watch.add(
          "send " + i + " of " + SEVERAL + " in flight", DeadPeerPolls.testing(session, send));
    }
    watch.add("a send comm with sends in flight", DeadPeerPolls.sending(session, posted.comm()));

    ToPeer large = ToPeer.connect(peer);
    long most = session.cut(LARGE);
    MemoryHandle whole = large.register(session.area(most));
    PeerRequest receive = large.there().receive(most);
    Request send = large.isend(whole, 0, most, 0);
    for (int i = 0; i < 2; i++) {
      boolean early = session.step("NET-TEST-02", "test", () -> session.net().test(send, null));
      if (early) {
        return;
      }
      if (isDone(receive)) {
        break;
      }
    }
    watch.add("a send in the middle of a message", DeadPeerPolls.testing(session, send));
    watch.add("a send behind one that was under way", DeadPeerPolls.sending(session, large.comm()));
  }

  /** Tests an operation of the peer once; one that is done must not be tested again. */
  private static boolean isDone(PeerRequest there) {
    return there.test(0).get().length > 0;
  }
}
