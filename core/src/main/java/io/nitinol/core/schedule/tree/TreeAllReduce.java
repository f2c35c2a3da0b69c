// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.tree;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * One way of the all-reduce over a tree: each chunk is reduced on its way up to the root, which
 * completes it, and handed out on its way down. Partial results of a rank with several children are
 * kept in its output.
 *
 * <p>A rank runs both ways side by side, as NCCL does by two groups of threads: no chunk waits
 * below for one that is still on its way above, however deep the tree is. The root has one way,
 * which turns each chunk round. The two ways of a rank use different directions of its connections.
 */
public final class TreeAllReduce implements Schedule {
  /** Chunks of a short operation: as many as a connection has slots by default. */
  private static final int CHUNKS = 8;

  private static final int[] NOBODY = {};

  private final int[] children;
  private final int parent;
  private final boolean up;
  private final ChunkShape shape;
  private final int channel;
  private final int[] sendPeers;
  private final int[] recvPeers;
  private final int stepsOfChunk;
  private final Rounds rounds = new Rounds();

  private TreeAllReduce(Tree tree, boolean up, ChunkShape shape, int channel) {
    this.children = tree.children();
    this.parent = tree.parent();
    this.up = up;
    this.shape = shape;
    this.channel = channel;
    int[] above = isRoot() ? NOBODY : new int[] {parent};
    this.sendPeers = up && !isRoot() ? above : children;
    this.recvPeers = up ? children : above;
    // The root sends to its first child with the last step up, and to the others right after.
    this.stepsOfChunk = isRoot() ? 2 * children.length - 1 : Math.max(1, children.length);
  }

  /**
   * Returns what a rank runs side by side, without elements: the way up, and but at the root the
   * way down.
   *
   * @param tree the rank's place in a tree of two or more
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public static Schedule[] ways(Tree tree, ChunkShape shape, int channel) {
    Schedule up = new TreeAllReduce(tree, true, shape, channel);
    if (tree.parent() != Step.NO_PEER) {
      return new Schedule[] {up, new TreeAllReduce(tree, false, shape, channel)};
    }
    if (tree.children().length == 0) {
      throw new IllegalArgumentException("a tree of one rank; expected 2 or more");
    }
    return new Schedule[] {up};
  }

  private boolean isRoot() {
    return parent == Step.NO_PEER;
  }

  @Override
  public String label() {
    return isRoot() ? "tree, turn" : up ? "tree, up" : "tree, down";
  }

  @Override
  public int[] sendPeers() {
    return sendPeers;
  }

  @Override
  public int[] recvPeers() {
    return recvPeers;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    rounds.share(count, align, least, channel, channels);
    // So many chunks that the levels of the tree work at once, unless that makes them too small.
    long wanted = Math.clamp(rounds.length() / minSlice, 1, CHUNKS);
    rounds.cut(shape.slotBytes() / elementBytes, align, wanted);
  }

  @Override
  public long steps() {
    return rounds.rounds() * stepsOfChunk;
  }

  @Override
  public long receives(int peer) {
    for (int each : recvPeers) {
      if (each == peer) {
        return rounds.rounds();
      }
    }
    return 0;
  }

  @Override
  public void step(long index, Step into) {
    Schedule.checkIndex(index, steps());
    long chunk = index / stepsOfChunk;
    int part = (int) (index % stepsOfChunk);
    if (up) {
      up(part, rounds.count(chunk), into);
    } else {
      down(part, rounds.count(chunk), into);
    }
    into.at(rounds.begin(chunk));
  }

  private void up(int part, long count, Step into) {
    int below = children.length;
    if (part >= below) {
      if (isRoot()) {
        into.begin(StepKind.SEND_RESULT, count).to(children[part - below + 1]);
      } else {
        into.begin(StepKind.SEND, count).to(parent);
      }
      return;
    }
    boolean complete = part == below - 1;
    boolean first = part == 0;
    StepKind kind;
    if (!complete) {
      kind = first ? StepKind.RECV_REDUCE_COPY : StepKind.RECV_COMBINE_COPY;
    } else if (isRoot()) {
      kind = first ? StepKind.RECV_REDUCE_COPY_SEND : StepKind.RECV_COMBINE_COPY_SEND;
    } else {
      kind = first ? StepKind.RECV_REDUCE_SEND : StepKind.RECV_COMBINE_SEND;
    }
    into.begin(kind, count)
        .from(children[part])
        .to(!complete ? Step.NO_PEER : isRoot() ? children[0] : parent)
        .last(complete && isRoot());
  }

  private void down(int part, long count, Step into) {
    if (part > 0) {
      into.begin(StepKind.SEND_RESULT, count).to(children[part]);
    } else if (children.length == 0) {
      into.begin(StepKind.RECV, count).from(parent);
    } else {
      into.begin(StepKind.RECV_COPY_SEND, count).from(parent).to(children[0]);
    }
  }
}
