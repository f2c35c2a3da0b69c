// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Rounds;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import org.jspecify.annotations.Nullable;

/**
 * The ring all-reduce of one rank on one channel: a reduce-scatter, after which each rank has the
 * complete reduction of one chunk, and an all-gather of these chunks, 2(n-1) messages per chunk in
 * all. The elements are split over the channels; a channel's share is done in loops over n chunks,
 * each chunk in slices that fit a slot. {@link #plan} sets the element count, and may be called
 * again for the next operation: the object is reused and belongs to one thread at a time.
 *
 * <p>Step {@code p} of a loop works on chunk {@code index - p} (mod n), which is what the rank
 * before has just sent. Each element is reduced in one order, the same for all ranks, and reaches
 * them as the same bits.
 */
public final class RingAllReduce implements Schedule {
  private final Ring ring;
  private final ChunkShape shape;
  private final int channel;
  private final int phases;
  private final int[] sendPeers;
  private final int[] recvPeers;

  /** This channel's share, a round for each loop. */
  private final Rounds loops = new Rounds();

  /** Elements of one chunk and of one slice, and how many slices a chunk has. */
  private long chunk;

  private long slice;
  private int slices;
  private long fullSteps;

  /** The same of the last loop, which has what is left. */
  private long lastBegin;

  private long lastChunk;
  private long lastSlice;
  private int lastSlices;
  private long steps;
  private long receives;

  /**
   * Creates a schedule without elements.
   *
   * @param ring this rank's place
   * @param shape the sizes of messages, the same on all ranks
   * @param channel which channel this is, from 0
   */
  public RingAllReduce(Ring ring, ChunkShape shape, int channel) {
    if (channel < 0) {
      throw new IllegalArgumentException("channel " + channel);
    }
    this.ring = ring;
    this.shape = shape;
    this.channel = channel;
    boolean alone = ring.size() == 1;
    this.sendPeers = alone ? new int[0] : new int[] {ring.next()};
    this.recvPeers = alone ? new int[0] : new int[] {ring.previous()};
    this.phases = ring.size() == 1 ? 1 : 2 * ring.size() - 1;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    int n = ring.size();
    long align = ChunkShape.ALIGNMENT / elementBytes;
    long least = Math.ceilDiv(shape.minChannelBytes(), elementBytes);
    loops.share(count, align, least, channel, channels);
    if (loops.length() == 0) {
      steps = 0;
      receives = 0;
      fullSteps = 0;
      return;
    }
    long slotCount = shape.slotBytes() / elementBytes;
    long minSlice = Rounds.alignUp(Math.ceilDiv(shape.minSliceBytes(), elementBytes), align);
    loops.cut((long) n * shape.slices() * slotCount, n * align);
    long full = loops.rounds() - 1;
    chunk = loops.size() / n;
    slice = sliceOf(chunk, slotCount, minSlice, align);
    slices = Math.toIntExact(Math.ceilDiv(chunk, slice));
    long minChunk = Rounds.alignUp(Math.ceilDiv(shape.minChunkBytes(), elementBytes), align);
    lastBegin = loops.begin(full);
    lastChunk = Math.max(minChunk, Rounds.alignUp(Math.ceilDiv(loops.count(full), n), align));
    lastSlice = sliceOf(lastChunk, slotCount, minSlice, align);
    lastSlices = Math.toIntExact(Math.ceilDiv(lastChunk, lastSlice));
    fullSteps = full * phases * slices;
    steps = fullSteps + (long) phases * lastSlices;
    receives = n == 1 ? 0 : full * (phases - 1) * slices + lastReceives();
  }

  private long sliceOf(long ofChunk, long slotCount, long minSlice, long align) {
    long wanted = Math.max(minSlice, Rounds.alignUp(Math.ceilDiv(ofChunk, shape.slices()), align));
    return Math.min(slotCount, wanted);
  }

  /** A rank receives each chunk twice, but once the one it sends first and the one it completes. */
  private long lastReceives() {
    int n = ring.size();
    long length = loops.begin() + loops.length() - lastBegin;
    long chunks = length / lastChunk;
    long all = chunks * lastSlices + Math.ceilDiv(length - chunks * lastChunk, lastSlice);
    int complete = ring.index() + 1 == n ? 0 : ring.index() + 1;
    return 2 * all - lastMessages(ring.index(), length) - lastMessages(complete, length);
  }

  /** Returns how many messages a chunk of the last loop has. */
  private long lastMessages(int which, long length) {
    return Math.ceilDiv(Math.clamp(length - which * lastChunk, 0, lastChunk), lastSlice);
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public long receives(int peer) {
    return peer == ring.previous() ? receives : 0;
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
  public void step(long index, Step into) {
    if (index < 0 || index >= steps) {
      throw new IndexOutOfBoundsException("step " + index + " of " + steps);
    }
    if (index < fullSteps) {
      int perLoop = phases * slices;
      long loop = index / perLoop;
      int inLoop = (int) (index - loop * perLoop);
      int phase = inLoop / slices;
      locate(phase, inLoop - phase * slices, loops.begin(loop), chunk, slice, into);
    } else {
      int inLoop = (int) (index - fullSteps);
      int phase = inLoop / lastSlices;
      locate(phase, inLoop - phase * lastSlices, lastBegin, lastChunk, lastSlice, into);
    }
  }

  /** Finds the elements of a step, returns how many they are, and fills {@code into} if given. */
  private long locate(
      int phase, int sliceIndex, long loopBegin, long ofChunk, long ofSlice, @Nullable Step into) {
    int n = ring.size();
    // The all-gather (phases n and on) goes over the chunks as the reduce-scatter did.
    int back = phase < n ? phase : phase - n;
    int chunkIndex = ring.index() - back;
    if (chunkIndex < 0) {
      chunkIndex += n;
    }
    long chunkBegin = loopBegin + chunkIndex * ofChunk;
    long chunkEnd = Math.min(loops.begin() + loops.length(), chunkBegin + ofChunk);
    long offset = chunkBegin + sliceIndex * ofSlice;
    long count = Math.max(0, Math.min(ofSlice, chunkEnd - offset));
    if (into != null) {
      StepKind kind = kind(phase);
      into.begin(kind, count)
          .at(offset)
          .from(kind.receives() ? ring.previous() : Step.NO_PEER)
          .to(kind.sends() ? ring.next() : Step.NO_PEER)
          .last(phase == n - 1);
    }
    return count;
  }

  private StepKind kind(int phase) {
    int n = ring.size();
    if (n == 1) {
      return StepKind.COPY;
    }
    if (phase == 0) {
      return StepKind.SEND;
    }
    if (phase < n - 1) {
      return StepKind.RECV_REDUCE_SEND;
    }
    if (phase == n - 1) {
      return StepKind.RECV_REDUCE_COPY_SEND;
    }
    return phase < phases - 1 ? StepKind.RECV_COPY_SEND : StepKind.RECV;
  }
}
