// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.scene.SendQueue;
import io.nitinol.tck.scene.SlotTraffic;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Which piece of a multi-receive a message goes to. */
public final class MatchingRules {
  private static final int LENGTH = 256;
  private static final int MOST_PERMUTED = 4;

  @Rule(value = "NET-RECV-09", needs = Need.MULTI_RECEIVE)
  void theTagSaysWhichPiece(NetSession session) {
    int most = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, most, LENGTH);
    for (int n = 2; n <= Math.min(most, MOST_PERMUTED); n++) {
      for (List<Integer> order : permutations(n)) {
        exchange(traffic, distinct(n), order, "NET-RECV-09");
      }
    }
    for (int n = MOST_PERMUTED + 1; n <= most; n++) {
      List<Integer> order = new ArrayList<>(ascending(n));
      for (int times = 0; times < 10; times++) {
        Collections.shuffle(order, session.random());
        exchange(traffic, distinct(n), order, "NET-RECV-09");
      }
    }
  }

  @Rule(value = "NET-RECV-09", needs = Need.MULTI_RECEIVE)
  void equalTagsFillInTheOrderOfTheArrays(NetSession session) {
    int most = session.maxRecvs();
    SlotTraffic traffic = new SlotTraffic(session, most, LENGTH);
    for (int n = 2; n <= most; n++) {
      int[] same = new int[n];
      Arrays.fill(same, 4);
      exchange(traffic, same, ascending(n), "NET-RECV-09");
    }
    int n = Math.min(most, 4);
    // The pieces of tag 3 in their order, and the others among them.
    int[] mixed = Arrays.copyOf(new int[] {3, 8, 3, 5}, n);
    List<List<Integer>> orders =
        n == 4
            ? List.of(List.of(0, 1, 2, 3), List.of(3, 0, 2, 1), List.of(0, 3, 1, 2))
            : List.of(ascending(n), descending(n));
    for (List<Integer> order : orders) {
      if (n != 3) {
        exchange(traffic, mixed, order, "NET-RECV-09");
      }
    }
  }

  @Rule(value = "NET-RECV-09", needs = Need.MULTI_RECEIVE)
  void smallAndLargePiecesAreMatchedAlike(NetSession session) {
    int n = Math.min(session.maxRecvs(), MOST_PERMUTED);
    int[] sizes = {128, session.cut(128 << 10)};
    SlotTraffic traffic = new SlotTraffic(session, n, sizes[1]);
    int[] tags = distinct(n);
    for (int mix = 0; mix < 1 << n; mix++) {
      traffic.post(0, sizes[1], tags);
      for (int k = n - 1; k >= 0; k--) {
        traffic.send(k, sizes[mix >> k & 1], tags[k]);
      }
      traffic.finish();
      traffic.verify(0, n);
    }
  }

  @Rule(value = "NET-RECV-11", needs = Need.MULTI_RECEIVE)
  void sendsOfOneTagMayRunAhead(NetSession session) {
    requireTags(session);
    int receives = 3;
    int[] tags = {1, 2};
    // Each string is an order of the sends of three receives that all have the tags A and B.
    for (String order : List.of("AABBAB", "AAABBB", "BBBAAA", "ABBAAB", "BABBAA")) {
      SlotTraffic traffic = new SlotTraffic(session, 2 * receives, LENGTH);
      for (int r = 0; r < receives; r++) {
        traffic.post(2 * r, LENGTH, tags);
      }
      List<Integer> messages = new ArrayList<>();
      int[] next = new int[2];
      for (int at = 0; at < order.length(); at++) {
        int which = order.charAt(at) - 'A';
        messages.add(2 * next[which]++ + which);
      }
      SendQueue queue = new SendQueue(session, traffic, LENGTH, tags, messages);
      ahead(session, () -> queue.sendAll("NET-RECV-11"));
      traffic.finish("NET-RECV-11");
      traffic.verify(0, 2 * receives, "NET-RECV-11");
    }
  }

  /** A send that fails here does so because of its tag, since others with two tags do not. */
  private static void ahead(NetSession session, Runnable sends) {
    try {
      sends.run();
    } catch (RuleViolation e) {
      throw e.rule().equals("NET-SEND-08") ? session.broken("running ahead, " + e.getMessage()) : e;
    }
  }

  /** The sends are started before the receives, as far as the plugin takes them. */
  @Rule(value = "NET-RECV-11", needs = Need.MULTI_RECEIVE)
  void sendsMayRunAheadOfTheirReceives(NetSession session) {
    requireTags(session);
    int receives = 2;
    int[] tags = {1, 2};
    SlotTraffic traffic = new SlotTraffic(session, 2 * receives, LENGTH);
    SendQueue queue = new SendQueue(session, traffic, LENGTH, tags, List.of(0, 2, 1, 3));
    queue.sendWhatFits();
    for (int r = 0; r < receives; r++) {
      traffic.post(2 * r, LENGTH, tags);
      ahead(session, queue::sendWhatFits);
    }
    ahead(session, () -> queue.sendAll("NET-RECV-11"));
    traffic.finish("NET-RECV-11");
    traffic.verify(0, 2 * receives, "NET-RECV-11");
  }

  @Rule(value = "NET-RECV-14", needs = Need.V5)
  void anyIntIsATag(NetSession session) {
    int[] odd = {
      0, -1, 1, 0x10000, 0x10001, 0x1000001, Integer.MIN_VALUE, Integer.MAX_VALUE, 255, 256
    };
    int pieces = Math.min(2, session.maxRecvs());
    if (pieces > 1) {
      requireTags(session);
    }
    SlotTraffic traffic = new SlotTraffic(session, pieces, LENGTH);
    for (int first : odd) {
      for (int second : odd) {
        if (pieces == 1) {
          exchange(traffic, new int[] {first}, List.of(0), "NET-RECV-14");
        } else if (first != second) {
          exchange(traffic, new int[] {first, second}, List.of(1, 0), "NET-RECV-14");
        }
      }
    }
  }

  /** Checks two plain tags in the other order: without these the finer rules cannot be tested. */
  private static void requireTags(NetSession session) {
    SlotTraffic traffic = new SlotTraffic(session, 2, LENGTH);
    traffic.post(0, LENGTH, 1, 2);
    traffic.send(1, LENGTH, 2);
    traffic.send(0, LENGTH, 1);
    traffic.finish();
    traffic.verify(0, 2);
  }

  /** One receive with a piece for each tag, whose messages are sent in an order. */
  private static void exchange(SlotTraffic traffic, int[] tags, List<Integer> order, String rule) {
    traffic.post(0, LENGTH, tags);
    for (int k : order) {
      traffic.send(k, LENGTH, tags[k]);
    }
    traffic.finish(rule);
    for (int k = 0; k < tags.length; k++) {
      traffic.verifyInGroup(k, rule);
    }
  }

  private static int[] distinct(int n) {
    int[] tags = new int[n];
    Arrays.setAll(tags, i -> 10 * (n - i));
    return tags;
  }

  private static List<Integer> ascending(int n) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      order.add(i);
    }
    return order;
  }

  private static List<Integer> descending(int n) {
    return ascending(n).reversed();
  }

  private static List<List<Integer>> permutations(int n) {
    if (n == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> shorter : permutations(n - 1)) {
      for (int at = 0; at < n; at++) {
        List<Integer> longer = new ArrayList<>(shorter);
        longer.add(at, n - 1);
        all.add(longer);
      }
    }
    return all;
  }
}
