// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.FromPeer;
import io.nitinol.tck.peer.Peer;
import io.nitinol.tck.peer.PeerRequest;
import io.nitinol.tck.peer.ToPeer;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.NetSession;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Messages between two processes, as ranks exchange them. */
public final class OtherProcessRules {
  /** The ends of two connections: the operations of one end are as many places apart. */
  private static final int COMMS = 4;

  private static final int MESSAGES = 6;
  private static final int LONGEST = 1 << 20;

  @Rule(value = "NET-SEND-08", needs = Need.PROCESSES)
  void messagesOfAllSortsArriveBothWaysAtOnce(NetSession session) {
    Peer peer = Peer.start(session);
    ToPeer there = ToPeer.connect(peer);
    FromPeer back = FromPeer.connect(peer);
    long[] lengths = new long[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      lengths[i] = 1L + session.random().nextInt(session.cut(i % 2 == 0 ? LONGEST : 4096));
    }
    long seed = session.random().nextLong();
    PeerRequest[] received = new PeerRequest[MESSAGES];
    PeerRequest[] sent = new PeerRequest[MESSAGES];
    Request[] sends = new Request[MESSAGES];
    Request[] receives = new Request[MESSAGES];
    GuardedArea[] rooms = new GuardedArea[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      received[i] = there.there().receive(lengths[i]);
      rooms[i] = session.area(lengths[i]);
      receives[i] = back.irecv(back.register(rooms[i]), 0, lengths[i], 0);
      GuardedArea area = session.area(lengths[i]);
      area.fill(seed + i);
      MemoryHandle mr = there.register(area);
      sends[i] = there.isend(mr, 0, lengths[i], 0);
      sent[i] = back.there().send(lengths[i], seed - 1 - i, 0);
    }
    boolean[] done = new boolean[COMMS * MESSAGES];
    boolean arrived =
        session.comes(() -> {
          boolean all = true;
          for (int i = 0; i < MESSAGES; i++) {
            Request send = sends[i];
            Request receive = receives[i];
            PeerRequest otherSend = sent[i];
            PeerRequest otherReceive = received[i];
            all &= ended(session, done, COMMS * i, () -> session.net().test(send, null));
            all &= ended(session, done, COMMS * i + 1, () -> session.net().test(receive, null));
            all &= ended(session, done, COMMS * i + 2, () -> otherSend.test(0).get().length > 0);
            all &= ended(session, done, COMMS * i + 3, () -> otherReceive.test(0).get().length > 0);
          }
          return all;
        });
    if (!arrived) {
      throw stuck(sent, done);
    }
    for (int i = 0; i < MESSAGES; i++) {
      long wrongHere = rooms[i].firstDifference(0, lengths[i], seed - 1 - i);
      long wrongThere = received[i].firstDifference(0, lengths[i], seed + i);
      session.check(
          wrongHere < 0 && wrongThere < 0,
          "message %d of %d bytes was wrong at byte %d here, and at %d in the other process",
          i,
          lengths[i],
          wrongHere,
          wrongThere);
    }
    there.close();
    back.close();
    peer.release();
  }

  /** What two connections share, such as what is known of the other process, is still there. */
  @Rule(value = "NET-CONN-22", needs = Need.PROCESSES)
  void aConnectionOutlivesOthersToTheSameProcess(NetSession session) {
    Peer peer = Peer.start(session);
    List<ToPeer> there = List.of(ToPeer.connect(peer), ToPeer.connect(peer), ToPeer.connect(peer));
    there.forEach(each -> each.transfer(LONGEST));
    there.getFirst().close();
    there.getLast().close();
    ConnectAttempts.asOwn(
        session,
        "after two other connections to the same process were closed, ",
        () -> {
          for (int i = 0; i < MESSAGES; i++) {
            there.get(1).transfer(LONGEST);
          }
        });
    there.get(1).close();
    peer.release();
  }

  /**
   * Says which rule is broken where not all has arrived: the oldest send that is not complete may
   * never have been taken. Younger ones may wait for the room of that one, so they say nothing.
   */
  private static RuleViolation stuck(PeerRequest[] sent, boolean[] done) {
    int oldest = 0;
    while (oldest < MESSAGES && done[COMMS * oldest + 2]) {
      oldest++;
    }
    if (oldest < MESSAGES && !sent[oldest].isTaken()) {
      return new RuleViolation(
          "NET-SEND-02",
          "in the peer process, waited in vain for room for send " + oldest + " of " + MESSAGES);
    }
    return new RuleViolation(
        "NET-TEST-05", "waited in vain for " + MESSAGES + " messages each way to be complete");
  }

  private static boolean ended(NetSession session, boolean[] done, int at, BooleanSupplier test) {
    boolean due = at < COMMS || done[at - COMMS] || !session.isTestedInOrder();
    done[at] = done[at] || (due && session.step("NET-TEST-02", "test", test::getAsBoolean));
    return done[at];
  }
}
