// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.collnet;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Pipeline;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce by chains: each chunk is reduced from rank to rank of a host on its way to the
 * host's head, goes through the network, which reduces it over the hosts, and comes back the same
 * way; mirrors NCCL's CollNetChain. Each channel has the next head, so that all devices are used.
 *
 * <p>A rank takes a chunk's way back some chunks after its way out, so that several are under way,
 * the more the farther it is from the head. The head's distance must be less than the slots of its
 * connection with the network, and that between neighbours at most twice the slots of theirs: then
 * there is room for whatever a rank has to send before it may receive again.
 */
public final class CollNetChainAllReduce implements Schedule {
  /** How many chunks a head has in the network. */
  private static final int LAG = 6;

  /** How many chunks more are under way for each rank between: one there, one back, and as many. */
  private static final int LAG_OF_HOP = 4;

  private final ChunkShape shape;
  private final int channel;
  private final int next;
  private final int before;
  private final boolean isHead;
  private final int lag;
  private final int[] sendPeers;
  private final int[] recvPeers;
  private final Rounds rounds = new Rounds();
  private final Pipeline pipeline;

  /**
   * Creates a schedule without elements.
   *
   * @param layout which ranks live on which host
   * @param network what goes through the network
   * @param hosts the sizes of messages between ranks, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public CollNetChainAllReduce(
      HostLayout layout, int rank, CollNetShape network, ChunkShape hosts, int channel) {
    int[] members = layout.members(layout.host(rank));
    int n = members.length;
    CollNetHeads heads = network.heads();
    int head = heads.place(layout.host(rank), channel % heads.count());
    int place = Math.floorMod(layout.index(rank) - head, n);
    this.shape = network.within(hosts);
    this.channel = channel;
    this.isHead = place == 0;
    this.next = isHead ? layout.ranks() : members[Math.floorMod(layout.index(rank) - 1, n)];
    this.before = place == n - 1 ? Step.NO_PEER : members[(layout.index(rank) + 1) % n];
    this.lag = LAG + place * LAG_OF_HOP;
    this.sendPeers = before == Step.NO_PEER ? new int[] {next} : new int[] {next, before};
    this.recvPeers = sendPeers;
    this.pipeline = new Pipeline(0, lag);
    pipeline.setSteps(0, 1);
    pipeline.setSteps(1, 1);
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
    // As many chunks as a head has under way at once, unless that makes them too small.
    long wanted = Math.clamp(rounds.length() / minSlice, 1, LAG);
    rounds.cut(shape.slotBytes() / elementBytes, align, wanted);
    pipeline.plan(rounds.rounds());
  }

  @Override
  public long steps() {
    return pipeline.steps();
  }

  @Override
  public long receives(int peer) {
    return peer == next || (peer == before && before != Step.NO_PEER) ? rounds.rounds() : 0;
  }

  @Override
  public void step(long index, Step into) {
    pipeline.seek(index);
    long chunk = pipeline.item();
    long count = rounds.count(chunk);
    boolean last = before == Step.NO_PEER; // of the chain
    if (pipeline.stage() == 0) {
      into.begin(last ? StepKind.SEND : StepKind.RECV_REDUCE_SEND, count).from(before).to(next);
    } else {
      into.begin(last ? StepKind.RECV : StepKind.RECV_COPY_SEND, count)
          .from(next)
          .to(before)
          .last(isHead);
    }
    into.at(rounds.begin(chunk));
  }
}
