// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.tree;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce over a tree: each chunk is reduced on its way up to the root, which completes it,
 * and handed out on its way down. Partial results of a rank with several children are kept in its
 * output.
 *
 * <p>A rank takes a chunk's way down some chunks after its way up, so that several are under way.
 * Both ways are one sequence, since the root turns each chunk round in one step. The distance must
 * be less than the slots of a connection: the root sends chunk {@code i} down as soon as it has
 * gone up, when the ranks below take chunk {@code i - LAG} and have made room up to that.
 */
public final class TreeAllReduce implements Schedule {
  /** How many chunks the way down is behind the way up. */
  private static final int LAG = 6;

  private final Tree tree;
  private final ChunkShape shape;
  private final int channel;
  private final int[] peers;
  private final boolean isRoot;
  private final int upSteps;
  private final int downSteps;
  private final Rounds rounds = new Rounds();
  private final Pipeline pipeline = new Pipeline(0, LAG);

  /**
   * Creates a schedule without elements.
   *
   * @param tree this rank's place in a tree of two or more
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public TreeAllReduce(Tree tree, ChunkShape shape, int channel) {
    int below = tree.children().length;
    this.tree = tree;
    this.shape = shape;
    this.channel = channel;
    this.isRoot = tree.parent() == Step.NO_PEER;
    if (isRoot && below == 0) {
      throw new IllegalArgumentException("a tree of one rank; expected 2 or more");
    }
    this.peers = new int[isRoot ? below : below + 1];
    System.arraycopy(tree.children(), 0, peers, 0, below);
    if (!isRoot) {
      peers[below] = tree.parent();
    }
    // The root sends to its first child with the last step up, and to the others right after.
    this.upSteps = isRoot ? 2 * below - 1 : Math.max(1, below);
    this.downSteps = isRoot ? 0 : Math.max(1, below);
  }

  @Override
  public int[] sendPeers() {
    return peers;
  }

  @Override
  public int[] recvPeers() {
    return peers;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    rounds.share(count, align, least, channel, channels);
    // As many chunks as are under way at once, unless that makes them too small.
    long wanted = Math.clamp(rounds.length() / minSlice, 1, LAG);
    rounds.cut(shape.slotBytes() / elementBytes, align, wanted);
    pipeline.setSteps(0, upSteps);
    pipeline.setSteps(1, downSteps);
    pipeline.plan(rounds.rounds());
  }

  @Override
  public long steps() {
    return pipeline.steps();
  }

  @Override
  public long receives(int peer) {
    for (int each : peers) {
      if (each == peer) {
        return rounds.rounds();
      }
    }
    return 0;
  }

  @Override
  public void step(long index, Step into) {
    pipeline.seek(index);
    long chunk = pipeline.item();
    if (pipeline.stage() == 0) {
      up(pipeline.part(), rounds.count(chunk), into);
    } else {
      down(pipeline.part(), rounds.count(chunk), into);
    }
    into.at(rounds.begin(chunk));
  }

  private void up(int part, long count, Step into) {
    int[] children = tree.children();
    int below = children.length;
    if (part >= below) {
      if (isRoot) {
        into.begin(StepKind.SEND_RESULT, count).to(children[part - below + 1]);
      } else {
        into.begin(StepKind.SEND, count).to(tree.parent());
      }
      return;
    }
    boolean complete = part == below - 1;
    boolean first = part == 0;
    StepKind kind;
    if (!complete) {
      kind = first ? StepKind.RECV_REDUCE_COPY : StepKind.RECV_COMBINE_COPY;
    } else if (isRoot) {
      kind = first ? StepKind.RECV_REDUCE_COPY_SEND : StepKind.RECV_COMBINE_COPY_SEND;
    } else {
      kind = first ? StepKind.RECV_REDUCE_SEND : StepKind.RECV_COMBINE_SEND;
    }
    into.begin(kind, count)
        .from(children[part])
        .to(!complete ? Step.NO_PEER : isRoot ? children[0] : tree.parent())
        .last(complete && isRoot);
  }

  private void down(int part, long count, Step into) {
    int[] children = tree.children();
    if (part > 0) {
      into.begin(StepKind.SEND_RESULT, count).to(children[part]);
    } else if (children.length == 0) {
      into.begin(StepKind.RECV, count).from(tree.parent());
    } else {
      into.begin(StepKind.RECV_COPY_SEND, count).from(tree.parent()).to(children[0]);
    }
  }
}
