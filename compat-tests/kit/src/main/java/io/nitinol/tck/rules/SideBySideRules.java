// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.ConnectAttempts;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Several connections at once, driven by one thread. */
public final class SideBySideRules {
  private static final int MIB = 1 << 20;

  /** How many connections have receives in flight at once, if the device takes as many. */
  private static final int CROWD = 6;

  private static final long LONG = 4L * MIB;
  private static final int ROUNDS = 3;

  /** How many connections rest with a message under way. */
  private static final int RESTING = 8;

  /** Until then a send is tried again that the plugin has no room for yet. */
  private static final long TAKEN = TimeUnit.MILLISECONDS.toNanos(100);

  /** Longer than a plugin can take for a failure what is none. */
  private static final long REST = TimeUnit.SECONDS.toNanos(4);

  /** How many turns a slow connection leaves out for each that it takes. */
  private static final int SLOW = 16;

  /** How often each may go on between two looks at the clock. */
  private static final int TURNS = 64;

  @Rule("NET-CONN-22")
  void connectionsThatStandStillHoldUpNoOther(NetSession session) {
    // Nobody tests the first ones, and nobody posts the receives of the other.
    List<SlotTraffic> resting = new ArrayList<>();
    for (int i = 0; i < RESTING; i++) {
      SlotTraffic rests = new SlotTraffic(session, 1, MIB);
      rests.post(0, session.cut(MIB));
      if (NetSession.within(
          TAKEN,
          () -> {
            rests.pollReceives();
            return rests.trySend(0, session.cut(MIB), SlotTraffic.TAG);
          })) {
        resting.add(rests);
      }
    }
    SlotTraffic untested = new SlotTraffic(session, 2, LONG);
    SlotTraffic unwanted = new SlotTraffic(session, 2, LONG);
    long most = session.cut(LONG);
    untested.post(0, most);
    int[] started = {begin(untested, most), begin(unwanted, most)};
    untested.poll();
    List<Traveller> travellers =
        List.of(
            new Traveller(session, 777, 1),
            new Traveller(session, session.cut(100_003L), 1),
            new Traveller(session, session.cut(3L * MIB + 5), 1),
            new Traveller(session, session.cut(MIB + 11L), SLOW));
    session.await(
        "NET-CONN-22",
        "four connections with messages of 777 bytes to 3 MiB, beside "
            + (resting.size() + 1)
            + " with messages of 1 and 4 MiB that nobody tests and one with a message that nobody"
            + " receives",
        () -> {
          boolean done = false;
          for (int turn = 0; turn < TURNS && !done; turn++) {
            done = true;
            for (Traveller traveller : travellers) {
              done &= traveller.advance();
            }
          }
          return done;
        });
    resting.forEach(SlotTraffic::finish);
    resting.forEach(rests -> rests.verify(0, 1));
    finish(untested, most, 1, started[0]);
    finish(unwanted, most, 0, started[1]);
  }

  /** Each of several connections has as many receives in flight as it must have room for. */
  @Rule("NET-CONN-22")
  void waitingReceivesTakeNoRoomOfOtherConnections(NetSession session) {
    int comms =
        Math.min(
            session.properties(0).maxComms(),
            session.properties(session.receivingDevice()).maxComms());
    int count = Math.min(comms / 2, CROWD);
    if (count < 2) {
      throw session.skip("maxComms is " + comms);
    }
    int pieces = session.maxRecvs();
    int[] tags = new int[pieces];
    Arrays.setAll(tags, piece -> piece);
    List<SlotTraffic> crowd = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SlotTraffic traffic = new SlotTraffic(session, session.maxRequests() * pieces, 8);
      for (int k = 0; k < session.maxRequests(); k++) {
        int first = k * pieces;
        boolean posted =
            session.comes(() -> {
              if (traffic.tryPost(first, 8, tags)) {
                return true;
              }
              traffic.pollReceives();
              return false;
            });
        session.require(
            i == 0 ? "NET-RECV-02" : "NET-CONN-22",
            posted,
            "irecv is null with %d receives in flight on its connection and %d on each of %d others",
            k,
            session.maxRequests(),
            i);
      }
      crowd.add(traffic);
    }
    for (SlotTraffic traffic : crowd) {
      for (int message = 0; message < session.maxRequests() * pieces; message++) {
        traffic.send(message, 8, tags[message % pieces]);
      }
      traffic.finish();
      traffic.verify(0, session.maxRequests() * pieces);
    }
  }

  /** Rests as between two steps of a program: a bound of the plugin's own must not end that. */
  @Rule(value = "NET-SEND-08", in = Placement.PROCESS_WAITING, seconds = 90)
  void messagesPassAfterSecondsOfRest(NetSession session) {
    NetConnection unused = session.connect();
    unused.transfer(777);
    long most = session.cut(LONG);
    SlotTraffic untested = new SlotTraffic(session, 2, LONG);
    untested.post(0, most);
    untested.post(1, most);
    SlotTraffic unsent = new SlotTraffic(session, 1, LONG);
    unsent.post(0, most);
    SlotTraffic unwanted = new SlotTraffic(session, 2, LONG);
    int[] begun = {begin(untested, most), begin(unwanted, most)};
    ConnectAttempts.asOwn(
        session,
        "while a receiver or a sender does nothing for "
            + TimeUnit.NANOSECONDS.toSeconds(REST)
            + " s, ",
        () ->
            ConnectAttempts.forAWhile(
                REST,
                () -> {
                  untested.pollSends();
                  unwanted.pollSends();
                  unsent.pollReceives();
                  session.require(
                      "NET-TEST-05",
                      unsent.receiving() == 1,
                      "a receive for which nothing was sent was complete");
                  return false;
                }));
    ConnectAttempts.asOwn(
        session,
        "after " + TimeUnit.NANOSECONDS.toSeconds(REST) + " s of rest, ",
        () -> {
          unused.transfer(777);
          unsent.send(0, most);
          unsent.finish();
          unsent.verify(0, 1);
          finish(untested, most, 2, begun[0]);
          finish(unwanted, most, 0, begun[1]);
        });
  }

  /** Starts sends as long as there is room; returns how many. */
  private static int begin(SlotTraffic traffic, long length) {
    int started = 0;
    while (started < 2 && traffic.trySend(started, length, SlotTraffic.TAG)) {
      started++;
    }
    return started;
  }

  /** Does what has been left undone, from this receive and this send on. */
  private static void finish(SlotTraffic traffic, long length, int receive, int send) {
    for (int k = receive; k < 2; k++) {
      traffic.post(k, length);
    }
    for (int k = send; k < 2; k++) {
      traffic.send(k, length);
    }
    traffic.finish();
    traffic.verify(0, 2);
  }

  /** A connection with messages of one length, two at a time. */
  private static final class Traveller {
    private final SlotTraffic traffic;
    private final long length;
    private final int period;
    private int turns;
    private int rounds;
    private int posted;
    private int sent;

    Traveller(NetSession session, long length, int period) {
      this.traffic = new SlotTraffic(session, 2, length);
      this.length = length;
      this.period = period;
    }

    /** Goes one step on if it is its turn; returns whether all rounds are over. */
    boolean advance() {
      if (rounds == ROUNDS || ++turns % period != 0) {
        return rounds == ROUNDS;
      }
      if (posted < 2 && traffic.tryPost(posted, length, SlotTraffic.TAG)) {
        posted++;
      }
      if (sent < posted && traffic.trySend(sent, length, SlotTraffic.TAG)) {
        sent++;
      }
      traffic.poll();
      if (sent == 2 && traffic.sending() == 0 && traffic.receiving() == 0) {
        traffic.verify(0, 2);
        posted = 0;
        sent = 0;
        rounds++;
      }
      return rounds == ROUNDS;
    }
  }
}
