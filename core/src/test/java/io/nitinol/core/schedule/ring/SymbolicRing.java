// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.ring;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the schedules of all ranks of a ring without data: a message is a range of elements and the
 * set of ranks whose input it holds. A link is the receive slots of its receiver and nothing else,
 * the strictest of networks: what is sent on leaves its slot only when the next rank has a free
 * one. Every violation is an AssertionError that says what happened.
 */
final class SymbolicRing {
  /** A message: elements [offset, offset + count) with the contributions of {@code ranks}. */
  private record Message(long offset, long count, long ranks) {}

  /** What a rank did with a range. */
  private record Range(long offset, long count) {}

  private final int n;
  private final int slots;
  private final boolean inPlace;
  private final RingAllReduce[] schedules;
  private final long[] index;
  private final long[] received;
  private final Step[] steps;

  /** Messages on the way from rank r to the next one, at most {@link #slots}. */
  private final List<ArrayDeque<Message>> links = new ArrayList<>();

  private final List<List<Range>> outputs = new ArrayList<>();
  private final long all;

  SymbolicRing(int n, long count, int elementBytes, ChunkShape shape, int slots, boolean inPlace) {
    this(n, count, elementBytes, shape, slots, inPlace, 0, 1);
  }

  SymbolicRing(
      int n,
      long count,
      int elementBytes,
      ChunkShape shape,
      int slots,
      boolean inPlace,
      int channel,
      int channels) {
    this.n = n;
    this.slots = slots;
    this.inPlace = inPlace;
    this.schedules = new RingAllReduce[n];
    this.index = new long[n];
    this.received = new long[n];
    this.steps = new Step[n];
    this.all = n == 64 ? -1L : (1L << n) - 1;
    int[] order = new int[n];
    Arrays.setAll(order, i -> i);
    for (int r = 0; r < n; r++) {
      schedules[r] = new RingAllReduce(Ring.of(order, r), shape, channel);
      schedules[r].plan(count, elementBytes, 0, channels);
      steps[r] = new Step();
      links.add(new ArrayDeque<>());
      outputs.add(new ArrayList<>());
    }
  }

  /** Runs until all ranks are done; the order in which ranks get their turn is {@code turns}'. */
  void run(java.util.random.RandomGenerator turns) {
    int stuck = 0;
    int from = 0;
    while (stuck < n) {
      int r = from;
      // Usually another rank, at times the same one again: as processes do.
      from = turns.nextInt(8) == 0 ? turns.nextInt(n) : (from + 1) % n;
      boolean moved = false;
      for (int burst = 1 + turns.nextInt(4); burst > 0 && tryStep(r); burst--) {
        moved = true;
      }
      stuck = moved ? 0 : stuck + 1;
      if (stuck == n) {
        stuck = sweep() ? 0 : n;
      }
    }
    for (int r = 0; r < n; r++) {
      if (index[r] < schedules[r].steps()) {
        throw new AssertionError("standstill: rank " + r + " at " + steps[r] + " of " + this);
      }
      if (received[r]
          != schedules[r].receives(
              schedules[r].recvPeers().length == 0 ? -1 : schedules[r].recvPeers()[0])) {
        throw new AssertionError(
            "rank "
                + r
                + " received "
                + received[r]
                + ", said "
                + schedules[r].receives(
                    schedules[r].recvPeers().length == 0 ? -1 : schedules[r].recvPeers()[0]));
      }
      if (!links.get(r).isEmpty()) {
        throw new AssertionError("rank " + r + " sent what nobody received: " + links.get(r));
      }
    }
  }

  /** Gives every rank a turn, so that a random order cannot look like a standstill. */
  private boolean sweep() {
    boolean moved = false;
    for (int r = 0; r < n; r++) {
      moved |= tryStep(r);
    }
    return moved;
  }

  private boolean tryStep(int r) {
    RingAllReduce schedule = schedules[r];
    Step step = steps[r];
    while (index[r] < schedule.steps()) {
      schedule.step(index[r], step);
      if (step.count() > 0) {
        break;
      }
      index[r]++;
    }
    if (index[r] == schedule.steps()) {
      return false;
    }
    StepKind kind = step.kind();
    ArrayDeque<Message> in = links.get((r + n - 1) % n);
    ArrayDeque<Message> out = links.get(r);
    if (kind.receives() && in.isEmpty() || kind.sends() && out.size() == slots) {
      return false;
    }
    check(!kind.receives() || step.recvPeer() == (r + n - 1) % n, r, "receives from", step);
    check(!kind.sends() || step.sendPeer() == (r + 1) % n, r, "sends to", step);
    long ranks = 0;
    if (kind.receives()) {
      Message message = in.remove();
      check(
          message.offset() == step.inputOffset() && message.count() == step.count(),
          r,
          "got " + message + " at",
          step);
      ranks = message.ranks();
      received[r]++;
    }
    if (kind.readsInput()) {
      check((ranks & 1L << r) == 0, r, "contributes twice at", step);
      ranks |= 1L << r;
      if (inPlace) {
        for (Range done : outputs.get(r)) {
          check(!overlaps(done, step), r, "reads input that was overwritten at", step);
        }
      }
    }
    if (kind.writesOutput()) {
      check(ranks == all, r, "writes an incomplete result at", step);
      outputs.get(r).add(new Range(step.inputOffset(), step.count()));
    }
    if (kind.sends()) {
      out.add(new Message(step.inputOffset(), step.count(), ranks));
    }
    index[r]++;
    return true;
  }

  private static boolean overlaps(Range done, Step step) {
    return done.offset() < step.inputOffset() + step.count()
        && step.inputOffset() < done.offset() + done.count();
  }

  private static void check(boolean holds, int rank, String what, Step step) {
    if (!holds) {
      throw new AssertionError("rank " + rank + " " + what + " " + step);
    }
  }

  /** Returns the elements that rank {@code r} wrote, as [begin, end) pairs, merged and in order. */
  long[] coverage(int r) {
    List<Range> ranges = new ArrayList<>(outputs.get(r));
    ranges.sort((a, b) -> Long.compare(a.offset(), b.offset()));
    List<Long> merged = new ArrayList<>();
    long end = -1;
    for (Range range : ranges) {
      if (range.offset() < end) {
        throw new AssertionError("rank " + r + " writes twice at " + range);
      }
      if (range.offset() != end) {
        if (end >= 0) {
          merged.add(end);
        }
        merged.add(range.offset());
      }
      end = range.offset() + range.count();
    }
    if (end >= 0) {
      merged.add(end);
    }
    return merged.stream().mapToLong(Long::longValue).toArray();
  }
}
