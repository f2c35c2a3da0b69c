// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.doubling;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;

/**
 * The all-reduce by recursive doubling: log2(n) exchanges, each with a rank twice as far away. Of
 * the ranks beyond a power of two, the even one of each pair in front gives its data to the odd one
 * before the exchanges and takes the result after them.
 *
 * <p>A small chunk is exchanged as a whole each time. A larger one is halved: each exchange reduces
 * one half of what the one before left to this rank, and as many exchanges back collect the result
 * (Rabenseifner, "Optimization of collective reduction operations", 2004). Those are twice as many
 * messages of fewer bytes in all. Both go over the same connections.
 *
 * <p>The lower rank's data is the left operand of every sum, whole or halved, so that all ranks add
 * up the same tree and get the same bits. What does not fit a slot is done in chunks, one after the
 * other: this is an algorithm for small and middle messages.
 */
public final class DoublingAllReduce implements Schedule {
  private final ChunkShape shape;
  private final int channel;

  /** How many ranks exchange, a power of two. */
  private final int exchanging;

  private final int exchanges;

  /** Place among those that exchange, or -1. */
  private final int place;

  /** The other rank of the pair beyond the power of two, or NO_PEER. */
  private final int partner;

  private final int[] exchangePeers;
  private final int[] peers;

  /**
   * For each exchange the first of the blocks that are left to this rank after it, of as many
   * blocks as there are ranks that exchange.
   */
  private final int[] keeps;

  private final Rounds rounds = new Rounds();
  private long align;

  /** Whether all chunks but the last are halved, and the last one. */
  private boolean fullHalved;

  private boolean lastHalved;

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
    this.exchanging = Integer.highestOneBit(ranks);
    int pairs = ranks - exchanging;
    boolean paired = rank < 2 * pairs;
    boolean gives = paired && rank % 2 == 0;
    this.partner = paired ? rank ^ 1 : Step.NO_PEER;
    this.place = gives ? -1 : paired ? rank / 2 : rank - pairs;
    this.exchanges = gives ? 0 : Integer.numberOfTrailingZeros(exchanging);
    this.exchangePeers = new int[exchanges];
    this.keeps = new int[exchanges];
    int first = 0;
    for (int k = 0; k < exchanges; k++) {
      int other = place ^ (1 << k);
      exchangePeers[k] = other < pairs ? 2 * other + 1 : other + pairs;
      first += (place >> k & 1) * blocks(k);
      keeps[k] = first;
    }
    this.peers = new int[exchanges + (paired ? 1 : 0)];
    System.arraycopy(exchangePeers, 0, peers, 0, exchanges);
    if (paired) {
      peers[exchanges] = partner;
    }
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
    align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    rounds.share(count, align, least, channel, channels);
    rounds.cut(shape.slotBytes() / elementBytes, align);
    long last = rounds.rounds() - 1;
    fullHalved = last > 0 && isHalved(rounds.size(), elementBytes);
    lastHalved = last >= 0 && isHalved(rounds.count(last), elementBytes);
  }

  private boolean isHalved(long count, int elementBytes) {
    // No block may be empty.
    return count / align >= exchanging && isHalved(exchanging, count * elementBytes, shape);
  }

  /**
   * Returns whether halving saves more bytes than its messages cost: each of them as much as {@link
   * ChunkShape#minSliceBytes} bytes. Four ranks would save a quarter of the bytes, and a ring is
   * faster there.
   *
   * @param exchanging how many ranks exchange, a power of two
   * @param bytes of a chunk
   */
  public static boolean isHalved(int exchanging, long bytes, ChunkShape shape) {
    long all = Integer.numberOfTrailingZeros(exchanging);
    long savedShare = (all - 2) * exchanging + 2; // of the bytes, times the ranks that exchange
    return exchanging >= 8 && savedShare * bytes >= all * exchanging * shape.minSliceBytes();
  }

  @Override
  public long steps() {
    long chunks = rounds.rounds();
    return chunks == 0 ? 0 : (chunks - 1) * stepsOf(fullHalved) + stepsOf(lastHalved);
  }

  private int stepsOf(boolean halved) {
    return 2 * (exchanges * (halved ? 2 : 1) + peers.length - exchanges);
  }

  @Override
  public long receives(int peer) {
    long chunks = rounds.rounds();
    for (int each : exchangePeers) {
      if (each == peer && chunks > 0) {
        return (chunks - 1) * (fullHalved ? 2 : 1) + (lastHalved ? 2 : 1);
      }
    }
    return peer == partner ? chunks : 0;
  }

  @Override
  public boolean sendsOneByOne() {
    return true;
  }

  @Override
  public void step(long index, Step into) {
    Schedule.checkIndex(index, steps());
    long last = rounds.rounds() - 1;
    long chunk = Math.min(last, index / stepsOf(fullHalved));
    int inChunk = (int) (index - chunk * stepsOf(fullHalved));
    boolean halved = chunk == last ? lastHalved : fullHalved;
    long begin = rounds.begin(chunk);
    long count = rounds.count(chunk);
    if (place < 0) {
      if (inChunk == 0) {
        into.begin(StepKind.SEND, count).to(partner).at(begin);
      } else {
        into.begin(StepKind.RECV, count).from(partner).at(begin);
      }
    } else if (partner == Step.NO_PEER) {
      exchange(inChunk, halved, begin, count, into);
    } else if (inChunk == 0) {
      into.begin(StepKind.RECV_REDUCE_COPY, count).from(partner).at(begin);
    } else if (inChunk == stepsOf(halved) - 1) {
      into.begin(StepKind.SEND_RESULT, count).to(partner).at(begin);
    } else {
      exchange(inChunk - 1, halved, begin, count, into);
    }
  }

  /** Fills in a step of the exchanges: first this rank sends, then it receives. */
  private void exchange(int number, boolean halved, long begin, long count, Step into) {
    int turn = number / 2;
    boolean sends = number % 2 == 0;
    boolean collects = turn >= exchanges;
    int k = collects ? 2 * exchanges - 1 - turn : turn;
    long from = 0;
    long to = count;
    if (halved) {
      // A rank sends the half that it does not keep, and later the one that it has kept.
      int first = sends == collects ? keeps[k] : keeps[k] ^ blocks(k);
      from = border(first, count);
      to = border(first + blocks(k), count);
    }
    boolean fromInput = k == 0 && partner == Step.NO_PEER && !collects;
    if (sends) {
      into.begin(fromInput ? StepKind.SEND : StepKind.SEND_RESULT, to - from).to(exchangePeers[k]);
    } else if (collects) {
      into.begin(StepKind.RECV, to - from).from(exchangePeers[k]);
    } else {
      into.begin(fromInput ? StepKind.RECV_REDUCE_COPY : StepKind.RECV_COMBINE_COPY, to - from)
          .from(exchangePeers[k])
          .localFirst((place & (1 << k)) == 0)
          .last(k == exchanges - 1);
    }
    into.at(begin + from);
  }

  /** Returns how many blocks are left to a rank after an exchange. */
  private int blocks(int exchange) {
    return exchanging >> (exchange + 1);
  }

  /** Returns the first element of a block in a chunk of {@code count}. */
  private long border(int block, long count) {
    return block == exchanging ? count : count / align * block / exchanging * align;
  }
}
