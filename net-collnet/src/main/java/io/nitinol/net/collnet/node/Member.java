// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.ControlLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import java.util.BitSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A child of one group: a rank, or a switch with the ranks below it. Used by the group's thread;
 * what comes on the control connection is passed on to that.
 */
final class Member implements ControlLink.Events {
  final ControlLink link;
  final ControlFrame.Join join;
  final BitSet ranks = new BitSet();

  /** The data connections, once the group is complete. */
  @Nullable CommPair pair;

  /** Whether its data connections and all below it are there. */
  boolean ready;

  /** Whether nothing more can be said to it. */
  boolean gone;

  private final Group group;
  private final Worker worker;

  Member(ControlLink link, ControlFrame.Join join, Group group, Worker worker) {
    this.link = link;
    this.join = join;
    this.group = group;
    this.worker = worker;
    for (int rank : join.ranks()) {
      ranks.set(rank);
    }
  }

  @Override
  public void frame(ControlFrame frame) {
    worker.post(group, () -> group.frame(this, frame));
  }

  @Override
  public void closed(String why) {
    worker.post(group, () -> group.lost(this, why));
  }

  /** Says something, unless it is gone. */
  void say(ControlFrame frame) {
    if (!gone) {
      link.send(frame);
    }
  }

  boolean isSwitch() {
    return join.sameSwitch() == 0;
  }

  /** Returns the rank to name in an error; of a switch none. */
  int rank() {
    return isSwitch() ? ControlFrame.NOBODY : ranks.nextSetBit(0);
  }

  int[] rankArray() {
    return ranks.stream().toArray();
  }

  /** Says who it is, for errors. */
  @Override
  public String toString() {
    return isSwitch()
        ? "the switch " + link.peer() + " with " + list(ranks)
        : list(ranks) + " (" + link.peer() + ")";
  }

  /** Lists ranks in words. */
  static String list(BitSet ranks) {
    String text =
        ranks.stream().limit(16).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    int count = ranks.cardinality();
    return (count == 1 ? "rank " : "ranks ")
        + text
        + (count > 16 ? ", ... " + count + " in all" : "");
  }
}
