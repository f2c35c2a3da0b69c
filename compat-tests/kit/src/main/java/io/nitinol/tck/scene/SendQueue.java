// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * Starts sends in an order. If one is refused, those of other tags go on; those of one tag keep
 * their order.
 */
public final class SendQueue {
  private final NetSession session;
  private final SlotTraffic traffic;
  private final IntUnaryOperator length;
  private final IntUnaryOperator tag;
  private final List<Integer> waiting;

  /** Creates messages of one length; those of a receive have these tags. */
  public SendQueue(
      NetSession session, SlotTraffic traffic, int length, int[] tags, List<Integer> messages) {
    this(session, traffic, k -> length, k -> tags[k % tags.length], messages);
  }

  public SendQueue(
      NetSession session,
      SlotTraffic traffic,
      IntUnaryOperator length,
      IntUnaryOperator tag,
      List<Integer> messages) {
    this.session = session;
    this.traffic = traffic;
    this.length = length;
    this.tag = tag;
    this.waiting = new ArrayList<>(messages);
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Starts as many sends as the plugin takes now. */
  public void sendWhatFits() {
    Set<Integer> refused = new TreeSet<>();
    for (Iterator<Integer> messages = waiting.iterator(); messages.hasNext(); ) {
      int message = messages.next();
      int itsTag = tag.applyAsInt(message);
      if (!refused.contains(itsTag)) {
        if (traffic.trySend(message, length.applyAsInt(message), itsTag)) {
          messages.remove();
        } else {
          refused.add(itsTag);
        }
      }
    }
  }

  /**
   * Starts all sends and tests all operations meanwhile.
   *
   * @param rule the rule that is broken when there is never room
   */
  public void sendAll(String rule) {
    session.await(
        rule,
        "room for " + waiting.size() + " sends, of any tag that fits",
        () -> {
          sendWhatFits();
          traffic.poll();
          return isEmpty();
        });
  }
}
