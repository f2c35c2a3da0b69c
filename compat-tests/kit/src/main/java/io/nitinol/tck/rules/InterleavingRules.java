// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.scene.SendQueue;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Receives, sends and tests in a random order. The report has the seed, which repeats the order.
 */
public final class InterleavingRules {
  private static final int SMALL = 4 << 10;
  private static final int LARGE = 192 << 10;

  @Rule("NET-SEND-08")
  void messagesArriveHoweverCallsFollowEachOther(NetSession session) {
    for (int round = 0; round < (session.full() ? 100 : 6); round++) {
      play(session, 60, 1, "NET-RECV-03");
    }
  }

  @Rule(value = "NET-RECV-11", needs = Need.MULTI_RECEIVE)
  void tagsFindTheirPiecesHoweverCallsFollowEachOther(NetSession session) {
    for (int round = 0; round < (session.full() ? 100 : 6); round++) {
      play(session, 60, session.maxRecvs(), "NET-RECV-11");
    }
  }

  private static void play(NetSession session, int messages, int most, String order) {
    Random random = session.random();
    int large = session.cut(LARGE);
    int small = session.cut(SMALL);
    int[] firsts = new int[messages];
    int[] tags = new int[messages];
    int[] lengths = new int[messages];
    int receives = 0;
    for (int k = 0; k < messages; ) {
      int n = Math.min(1 + random.nextInt(most), messages - k);
      firsts[receives++] = k;
      for (int i = 0; i < n; i++, k++) {
        tags[k] = most == 1 ? SlotTraffic.TAG : random.nextInt(4);
        lengths[k] = 1 + random.nextInt(random.nextInt(8) == 0 ? large : small);
      }
    }
    SlotTraffic traffic = new SlotTraffic(session, messages, large);
    SendQueue queue =
        new SendQueue(
            session, traffic, k -> lengths[k], k -> tags[k], order(random, firsts, receives, tags));
    int[] posted = new int[1];
    int all = receives;
    session.await(
        "NET-TEST-05",
        messages + " messages in " + receives + " receives with seed " + session.terms().seed(),
        () -> {
          switch (random.nextInt(4)) {
            case 0 -> {
              if (posted[0] < all) {
                int first = firsts[posted[0]];
                int end = posted[0] + 1 < all ? firsts[posted[0] + 1] : messages;
                int[] own = Arrays.copyOfRange(tags, first, end);
                if (traffic.tryPost(first, large, own)) {
                  posted[0]++;
                }
              }
            }
            case 1 -> queue.sendWhatFits();
            case 2 -> traffic.pollSends();
            default -> traffic.pollReceives();
          }
          return posted[0] == all
              && queue.isEmpty()
              && traffic.sending() == 0
              && traffic.receiving() == 0;
        });
    traffic.verifyFresh(0, messages, order);
  }

  /** Shuffles the messages of each receive, but keeps those of one tag in their order. */
  private static List<Integer> order(Random random, int[] firsts, int receives, int[] tags) {
    List<Integer> order = new ArrayList<>();
    for (int r = 0; r < receives; r++) {
      int end = r + 1 < receives ? firsts[r + 1] : tags.length;
      List<Integer> own = new ArrayList<>();
      for (int k = firsts[r]; k < end; k++) {
        int message = k;
        int after = 0;
        for (int at = 0; at < own.size(); at++) {
          if (tags[own.get(at)] == tags[message]) {
            after = at + 1;
          }
        }
        own.add(after + random.nextInt(own.size() - after + 1), message);
      }
      order.addAll(own);
    }
    return order;
  }
}
