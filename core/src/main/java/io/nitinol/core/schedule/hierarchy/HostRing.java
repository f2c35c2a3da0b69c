// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.hierarchy;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.schedule.ring.Ring;

/**
 * The ring of the ranks that lead one share, one on each host: reduces what each has for its host,
 * and gives all the result. As in a ring of single ranks, a share has a chunk for each of the
 * {@code n} hosts, a chunk is cut into slices that fit a message, and phase {@code p} works on
 * chunk {@code index - p} (mod n); phase 0 only sends, and 2n-2 more follow.
 *
 * <p>What a leader brings in is in its output, but that of a rank alone on its host is its input.
 */
final class HostRing {
  /** Elements of a chunk and of a slice; the same for all shares of an operation. */
  private long chunk;

  private long slice;

  /** How many messages a chunk has at most. */
  private int slices;

  private final Ring ring;
  private final ChunkShape shape;
  private final boolean fromInput;

  /**
   * Creates a ring that is not planned.
   *
   * @param ring this rank's place among the leaders of its share, two or more
   * @param shape the sizes of messages, the same on all ranks
   * @param fromInput whether this rank is alone on its host
   */
  HostRing(Ring ring, ChunkShape shape, boolean fromInput) {
    this.ring = ring;
    this.shape = shape;
    this.fromInput = fromInput;
  }

  int previous() {
    return ring.previous();
  }

  int next() {
    return ring.next();
  }

  /** Sets the sizes of messages for shares of up to {@code share} elements. */
  void plan(long share, int elementBytes) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long minChunk = Rounds.alignUp(Math.ceilDiv(shape.minChunkBytes(), elementBytes), align);
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    chunk = Math.max(minChunk, Rounds.alignUp(Math.ceilDiv(share, ring.size()), align));
    long wanted = Rounds.alignUp(Math.ceilDiv(chunk, shape.slices()), align);
    slice = Math.min(shape.slotBytes() / elementBytes, Math.max(minSlice, wanted));
    slices = (int) Math.ceilDiv(chunk, slice);
  }

  /** Returns how many messages a chunk has at most. */
  int slices() {
    return slices;
  }

  /** Returns how many steps follow the first phase. */
  int laterSteps() {
    return (2 * ring.size() - 2) * slices;
  }

  /** Returns where the chunk that this rank sends first begins in a share of {@code share}. */
  long firstBegin(long share) {
    return Math.min(share, ring.index() * chunk);
  }

  /** Returns where that chunk ends. */
  long firstEnd(long share) {
    return Math.min(share, (ring.index() + 1) * chunk);
  }

  /** Returns how many messages this rank receives for a share of {@code share} elements. */
  long receives(long share) {
    // Each chunk comes twice, but once the one that is sent first and the one that is completed.
    long chunks = share / chunk;
    long all = chunks * slices + Math.ceilDiv(share - chunks * chunk, slice);
    int complete = ring.index() + 1 == ring.size() ? 0 : ring.index() + 1;
    return 2 * all - messages(share, ring.index()) - messages(share, complete);
  }

  private long messages(long share, int which) {
    return Math.ceilDiv(Math.clamp(share - which * chunk, 0, chunk), slice);
  }

  private long place(int phase, int sliceIndex) {
    int n = ring.size();
    int which = Math.floorMod(ring.index() - phase, n);
    return which * chunk + sliceIndex * slice;
  }

  private long count(long share, int phase, int sliceIndex) {
    int which = Math.floorMod(ring.index() - phase, ring.size());
    long end = Math.min(share, (which + 1) * chunk);
    return Math.clamp(end - place(phase, sliceIndex), 0, slice);
  }

  /** Tells step {@code number} of the first phase, for a share that begins at {@code begin}. */
  void first(int number, long begin, long share, Step into) {
    step(0, number, begin, share, into);
  }

  /** Tells step {@code number} of the phases after the first. */
  void later(int number, long begin, long share, Step into) {
    int phase = 1 + number / slices;
    step(phase, number - (phase - 1) * slices, begin, share, into);
  }

  private void step(int phase, int sliceIndex, long begin, long share, Step into) {
    int n = ring.size();
    StepKind kind = kind(phase);
    into.begin(kind, count(share, phase, sliceIndex))
        .at(begin + place(phase, sliceIndex))
        .from(kind.receives() ? ring.previous() : Step.NO_PEER)
        .to(kind.sends() ? ring.next() : Step.NO_PEER)
        .last(phase == n - 1);
  }

  private StepKind kind(int phase) {
    int n = ring.size();
    if (phase == 0) {
      return fromInput ? StepKind.SEND : StepKind.SEND_RESULT;
    }
    if (phase < n - 1) {
      return fromInput ? StepKind.RECV_REDUCE_SEND : StepKind.RECV_COMBINE_SEND;
    }
    if (phase == n - 1) {
      return fromInput ? StepKind.RECV_REDUCE_COPY_SEND : StepKind.RECV_COMBINE_COPY_SEND;
    }
    return phase < 2 * n - 2 ? StepKind.RECV_COPY_SEND : StepKind.RECV;
  }
}
