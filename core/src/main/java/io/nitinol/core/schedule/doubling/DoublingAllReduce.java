// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.doubling;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce by recursive doubling: log2(n) exchanges of everything, each with a rank twice as
 * far away. Of the ranks beyond a power of two, the even one of each pair in front gives its data
 * to the odd one before the exchanges and takes the result after them.
 *
 * <p>The lower rank's data is the left operand of every sum on both sides, so that all ranks add up
 * the same tree and get the same bits. What does not fit a slot is done in chunks, one after the
 * other: this is an algorithm for small messages.
 */
public final class DoublingAllReduce implements Schedule {
  private final ChunkShape shape;
  private final int channel;
  private final int exchanges;

  /** Place among those that exchange, or -1. */
  private final int place;

  /** The other rank of the pair beyond the power of two, or NO_PEER. */
  private final int partner;

  private final int[] exchangePeers;
  private final int[] peers;
  private final int stepsPerChunk;
  private final Rounds rounds = new Rounds();

  /**
   * Creates a schedule without elements.
   *
   * @param ranks how many ranks there are, 2 or more
   * @param rank this rank
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public DoublingAllReduce(int ranks, int rank, ChunkShape shape, int channel) {
    if (ranks < 2 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException("rank " + rank + " of " + ranks);
    }
    this.shape = shape;
    this.channel = channel;
    int exchanging = Integer.highestOneBit(ranks);
    int pairs = ranks - exchanging;
    boolean paired = rank < 2 * pairs;
    boolean gives = paired && rank % 2 == 0;
    this.partner = paired ? rank ^ 1 : Step.NO_PEER;
    this.place = gives ? -1 : paired ? rank / 2 : rank - pairs;
    this.exchanges = gives ? 0 : Integer.numberOfTrailingZeros(exchanging);
    this.exchangePeers = new int[exchanges];
    for (int k = 0; k < exchanges; k++) {
      int other = place ^ (1 << k);
      exchangePeers[k] = other < pairs ? 2 * other + 1 : other + pairs;
    }
    this.peers = new int[exchanges + (paired ? 1 : 0)];
    System.arraycopy(exchangePeers, 0, peers, 0, exchanges);
    if (paired) {
      peers[exchanges] = partner;
    }
    this.stepsPerChunk = 2 * peers.length;
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
    rounds.share(count, align, least, channel, channels);
    rounds.cut(shape.slotBytes() / elementBytes, align);
  }

  @Override
  public long steps() {
    return rounds.rounds() * stepsPerChunk;
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
    Schedule.checkIndex(index, steps());
    long chunk = index / stepsPerChunk;
    int inChunk = (int) (index - chunk * stepsPerChunk);
    long count = rounds.count(chunk);
    if (place < 0) {
      if (inChunk == 0) {
        into.begin(StepKind.SEND, count).to(partner);
      } else {
        into.begin(StepKind.RECV, count).from(partner);
      }
    } else if (partner == Step.NO_PEER) {
      exchange(inChunk, false, count, into);
    } else if (inChunk == 0) {
      into.begin(StepKind.RECV_REDUCE_COPY, count).from(partner);
    } else if (inChunk == stepsPerChunk - 1) {
      into.begin(StepKind.SEND_RESULT, count).to(partner);
    } else {
      exchange(inChunk - 1, true, count, into);
    }
    into.at(rounds.begin(chunk));
  }

  private void exchange(int number, boolean begun, long count, Step into) {
    int k = number / 2;
    int peer = exchangePeers[k];
    boolean fromInput = k == 0 && !begun;
    if (number % 2 == 0) {
      into.begin(fromInput ? StepKind.SEND : StepKind.SEND_RESULT, count).to(peer);
    } else {
      into.begin(fromInput ? StepKind.RECV_REDUCE_COPY : StepKind.RECV_COMBINE_COPY, count)
          .from(peer)
          .localFirst((place & (1 << k)) == 0)
          .last(k == exchanges - 1);
    }
  }
}
