// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a rank sends to itself in a batch. */
public final class SelfCopy extends Task {
  /** What is copied before others get their turn. */
  private static final long PIECE = 1 << 20;

  private final int rank;
  private PairTransfers.@Nullable Side out;
  private PairTransfers.@Nullable Side in;
  private int item;
  private long offset;

  public SelfCopy(int rank) {
    this.rank = rank;
  }

  public void begin(PairTransfers.Side newOut, PairTransfers.Side newIn) {
    out = newOut;
    in = newIn;
    item = 0;
    offset = 0;
    done = false;
  }

  @Override
  public int advance() {
    PairTransfers.Side from = out;
    PairTransfers.Side to = in;
    if (from == null || to == null) {
      return 0;
    }
    long left = PIECE;
    while (!done && left > 0) {
      long bytes = Math.min(left, from.bytes(item) - offset);
      MemorySegment.copy(from.segment(item), offset, to.segment(item), offset, bytes);
      left -= bytes;
      offset += bytes;
      if (offset == from.bytes(item)) {
        offset = 0;
        item++;
        done = item == from.size();
      }
    }
    if (done) {
      out = null;
      in = null;
    }
    return 1;
  }

  @Override
  public int waitsFor() {
    return NOBODY;
  }

  @Override
  public String describeWait() {
    return "nothing";
  }

  @Override
  public String describe() {
    return "sends to itself, rank " + rank + ", " + item + " done";
  }
}
