// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.Promptness;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetSession;
import io.nitinol.toolkit.ErrorText;
import java.util.Arrays;

/** How many operations a comm holds, and how it refuses more. */
public final class BackPressureRules {
  private static final int LENGTH = 64;

  /** The tests try at most this many times the number of operations that any plugin must hold. */
  private static final int TIMES = 8;

  /** Further than this from those of the refused receive are the tags of the next one. */
  private static final int OTHER_TAGS = 100;

  /** For so many refused calls in a row, at most, no send is tested. */
  private static final int UNTESTED_TURNS = 64;

  private static int[] tags(int pieces) {
    int[] tags = new int[pieces];
    Arrays.setAll(tags, i -> 1 + i);
    return tags;
  }

  @Rule("NET-SEND-02")
  void nullMeansThatNothingHasHappened(NetSession session) {
    int least = SlotTraffic.leastInFlight(session);
    SlotTraffic traffic = new SlotTraffic(session, TIMES * least + 2, LENGTH);
    int refused = sendUntilNull(traffic, TIMES * least);
    if (session.hasFewRequests() && refused == least) {
      throw session.skip(fewRequests(session));
    }
    if (refused == TIMES * least) {
      throw session.skip("the plugin took " + refused + " sends without a receive");
    }
    // A plugin that was only making its connection takes it now, and then it must not come twice.
    for (int again = 0; again < 3 && traffic.sending() == refused; again++) {
      traffic.trySend(refused, LENGTH, SlotTraffic.TAG);
    }
    int messages = traffic.sending();
    // The caller gives up what was refused and sends something else instead.
    boolean taken = messages > refused;
    if (!taken) {
      traffic.prepare(refused, LENGTH);
    }
    receiveAll(traffic, messages);
    int next = messages;
    for (int i = 0; i < 2; i++, next++) {
      traffic.post(next, LENGTH);
      traffic.send(next, LENGTH);
      traffic.finish();
    }
    traffic.verify(0, next, "NET-SEND-02");
  }

  /** Receives are posted and completed, and the sends not tested until one finds no room. */
  @Rule("NET-SEND-02")
  void nullForLackOfRequestsMeansThatNothingHasHappened(NetSession session) {
    int messages = TIMES * SlotTraffic.leastInFlight(session);
    SlotTraffic traffic = new SlotTraffic(session, messages, LENGTH);
    int[] turns = new int[1];
    Runnable meanwhile =
        () -> {
          traffic.pollReceives();
          if (++turns[0] % UNTESTED_TURNS == 0) {
            traffic.pollSends();
          }
        };
    for (int k = 0; k < messages; k++) {
      traffic.post(k, LENGTH, meanwhile);
      traffic.send(k, LENGTH, SlotTraffic.TAG, meanwhile);
    }
    traffic.finish("NET-SEND-02");
    traffic.verify(0, messages, "NET-SEND-02");
    if (turns[0] == 0) {
      throw session.skip("the plugin refused none of " + messages + " receives and sends");
    }
  }

  @Rule("NET-SEND-04")
  void moreSendsThanFitAreNull(NetSession session) {
    if (session.hasFewRequests()) {
      throw session.skip(fewRequests(session));
    }
    int least = SlotTraffic.leastInFlight(session);
    SlotTraffic traffic = new SlotTraffic(session, TIMES * least, LENGTH);
    int taken = sendUntilNull(traffic, TIMES * least);
    for (int i = 0; i < 100 && taken < TIMES * least; i++) {
      if (traffic.trySend(taken, LENGTH, SlotTraffic.TAG)) {
        taken++;
      }
    }
    receiveAll(traffic, taken);
    traffic.verify(0, taken);
  }

  private static String fewRequests(NetSession session) {
    return ErrorText.of(
        "no NCCL has more than %s requests of a library of version %s in flight",
        session.maxRequests(), session.lane().provided());
  }

  /** Sends messages from the first until one is refused; returns how many were taken. */
  private static int sendUntilNull(SlotTraffic traffic, int most) {
    int taken = 0;
    while (taken < most && traffic.trySend(taken, LENGTH, SlotTraffic.TAG)) {
      taken++;
    }
    return taken;
  }

  private static void receiveAll(SlotTraffic traffic, int messages) {
    for (int k = 0; k < messages; k++) {
      traffic.post(k, LENGTH);
      traffic.poll();
    }
    traffic.finish();
  }

  @Rule("NET-SEND-03")
  void asManySendsAsPromisedAreInFlight(NetSession session) {
    int pieces = session.maxRecvs();
    int[] tags = tags(pieces);
    SlotTraffic traffic = new SlotTraffic(session, session.maxRequests() * pieces, LENGTH);
    for (int first = 0; first < session.maxRequests() * pieces; first += pieces) {
      traffic.post(first, LENGTH, tags);
    }
    for (int k = 0; k < session.maxRequests() * pieces; k++) {
      int message = k;
      session.await(
          "NET-SEND-03",
          ErrorText.of(
              "room for send %s of the %s x %s that can be in flight, with all receives"
                  + " posted",
              k + 1, session.maxRequests(), pieces),
          () -> {
            if (traffic.trySend(message, LENGTH, tags[message % pieces])) {
              return true;
            }
            traffic.pollReceives();
            return false;
          });
    }
    traffic.finish();
    traffic.verify(0, session.maxRequests() * pieces);
  }

  @Rule("NET-RECV-02")
  void asManyReceivesAsPromisedAreInFlightBeforeTheirSends(NetSession session) {
    int pieces = session.maxRecvs();
    int[] tags = tags(pieces);
    int most = 2 * session.maxRequests();
    SlotTraffic traffic = new SlotTraffic(session, most * pieces, LENGTH);
    int posted = post(session, traffic, tags);
    // Those beyond are refused, if not taken.
    while (posted < most && traffic.tryPost(posted * pieces, LENGTH, tags)) {
      posted++;
    }
    for (int k = 0; k < posted * pieces; k++) {
      traffic.send(k, LENGTH, tags[k % pieces]);
    }
    traffic.finish();
    traffic.verify(0, posted * pieces);
    if (posted < most && !session.hasFewRequests()) {
      theRefusedReceiveIsForgotten(
          session, traffic, Arrays.stream(tags).map(tag -> tag + OTHER_TAGS).toArray());
    }
  }

  /** If it were not, messages would go to it, or have to wait since it has other tags. */
  private static void theRefusedReceiveIsForgotten(
      NetSession session, SlotTraffic traffic, int[] tags) {
    traffic.post(0, LENGTH, tags);
    for (int k = 0; k < tags.length; k++) {
      int message = k;
      session.await(
          "NET-RECV-01",
          "room for a send after a receive that was refused",
          () -> {
            if (traffic.trySend(message, LENGTH, tags[message])) {
              return true;
            }
            traffic.poll();
            return false;
          });
    }
    traffic.finish("NET-RECV-01");
    traffic.verify(0, tags.length, "NET-RECV-01");
  }

  @Rule("NET-RECV-02")
  void asManyReceivesAsPromisedAreInFlightAfterTheirSends(NetSession session) {
    int pieces = session.maxRecvs();
    int[] tags = tags(pieces);
    int messages = session.maxRequests() * pieces;
    SlotTraffic traffic = new SlotTraffic(session, messages, LENGTH);
    int sent = 0;
    while (sent < messages && traffic.trySend(sent, LENGTH, tags[sent % pieces])) {
      sent++;
    }
    post(session, traffic, tags);
    for (; sent < messages; sent++) {
      traffic.send(sent, LENGTH, tags[sent % pieces]);
    }
    traffic.finish();
    traffic.verify(0, messages);
  }

  /** Posts MAX_REQUESTS receives and tests none of them while there is room. */
  private static int post(NetSession session, SlotTraffic traffic, int[] tags) {
    for (int k = 0; k < session.maxRequests(); k++) {
      int receive = k;
      session.await(
          "NET-RECV-02",
          ErrorText.of(
              "room for receive %s of the %s that can be in flight", k + 1, session.maxRequests()),
          () -> {
            if (traffic.tryPost(receive * tags.length, LENGTH, tags)) {
              return true;
            }
            traffic.poll();
            return false;
          });
    }
    return session.maxRequests();
  }

  @Rule("NET-RECV-01")
  void irecvReturnsWithoutASender(NetSession session) {
    long length = session.cut(64L << 10);
    Promptness.check(
        session,
        "irecv with nobody sending",
        watch -> {
          SlotTraffic traffic = new SlotTraffic(session, 2 * session.maxRequests(), length);
          for (int k = 0; k < 2 * session.maxRequests(); k++) {
            int message = k;
            watch.timed(() -> traffic.tryPost(message, length, SlotTraffic.TAG));
          }
          traffic.connection().close();
        });
  }
}
