// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import java.util.BitSet;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A child of one group: a rank, or a switch with the ranks below it. The group's thread uses it,
 * and gets the frames of the control connection.
 */
final class SwitchChild implements SwitchLink.Events {
  final SwitchLink link;
  final ControlFrame.Join join;
  final BitSet ranks = new BitSet();

  /** The data connections, once the group is complete. */
  @Nullable CommPair pair;

  /** Whether its data connections, and all below it, are connected. */
  boolean ready;

  /** Whether no frame can be sent to it any more. */
  boolean gone;

  private final Events events;
  private final Executor thread;

  /** What a group hears of its children, on its own thread. */
  interface Events {
    /** A child has sent a frame. */
    void frame(SwitchChild member, ControlFrame frame);

    /** A child's control connection has ended. */
    void lost(SwitchChild member, String why);
  }

  /**
   * Takes the connection over.
   *
   * @param events called for each frame, on the thread of the group
   * @param thread runs tasks on that thread, in their order
   */
  SwitchChild(SwitchLink link, ControlFrame.Join join, Events events, Executor thread) {
    this.link = link;
    this.join = join;
    this.events = events;
    this.thread = thread;
    for (int rank : join.ranks()) {
      ranks.set(rank);
    }
  }

  @Override
  public void frame(ControlFrame frame) {
    thread.execute(() -> events.frame(this, frame));
  }

  @Override
  public void closed(String why) {
    thread.execute(() -> events.lost(this, why));
  }

  /** Sends a frame, unless the child is gone. */
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

  /** Names the child for errors. */
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
