// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one side of an operation, in the order in which its bytes travel: one piece or
 * several. Reused for each operation, so that the data path allocates none.
 */
final class ScatterGatherList {
  private @Nullable SwitchRegion[] regions = new SwitchRegion[1];
  private long[] offsets = new long[1];
  private long[] lengths = new long[1];
  private int count;
  private int current;
  private long done; // bytes of the current piece

  /** Removes all pieces, and makes room for {@code room}. */
  void clear(int room) {
    if (regions.length < room) {
      regions = new SwitchRegion[room];
      offsets = new long[room];
      lengths = new long[room];
    }
    Arrays.fill(regions, 0, count, null);
    count = 0;
    current = 0;
    done = 0;
  }

  /** Sets one piece, the only one. */
  void set(SwitchRegion region, long offset, long length) {
    clear(1);
    add(region, offset, length);
  }

  /** Adds a piece behind the others. */
  void add(SwitchRegion region, long offset, long length) {
    regions[count] = region;
    offsets[count] = offset;
    lengths[count] = length;
    count++;
  }

  /** Returns whether the next bytes lie side by side. */
  boolean isRun(long bytes) {
    skipFinished();
    return current < count && lengths[current] - done >= bytes;
  }

  private void skipFinished() {
    while (current < count && lengths[current] == done) {
      current++;
      done = 0;
    }
  }

  /** Returns where the next byte lies, if {@link #isRun}. */
  SwitchRegion region() {
    return at(current);
  }

  long offset() {
    return offsets[current] + done;
  }

  /** Returns the memory of the first piece, for a message of 0 bytes, which must name some. */
  SwitchRegion first() {
    return at(0);
  }

  long firstOffset() {
    return offsets[0];
  }

  /** Skips bytes that lie side by side. */
  void skip(long bytes) {
    done += bytes;
  }

  private SwitchRegion at(int index) {
    SwitchRegion region = regions[index];
    if (region == null) {
      throw new IllegalStateException("no piece " + index + " of " + count);
    }
    return region;
  }

  /** Copies the next bytes out and skips them. */
  void read(MemorySegment to, long at, long bytes) {
    for (long left = bytes; left > 0; ) {
      long some = next(left);
      MemorySegment.copy(region().segment(), offset(), to, at + bytes - left, some);
      done += some;
      left -= some;
    }
  }

  /** Copies bytes to the place of the next ones and skips them. */
  void write(MemorySegment from, long at, long bytes) {
    for (long left = bytes; left > 0; ) {
      long some = next(left);
      MemorySegment.copy(from, at + bytes - left, region().segment(), offset(), some);
      done += some;
      left -= some;
    }
  }

  private long next(long most) {
    skipFinished();
    return Math.min(most, lengths[current] - done);
  }

  /** Returns whether the two share any byte. */
  boolean overlaps(ScatterGatherList other) {
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < other.count; j++) {
        long begin = at(i).segment().address() + offsets[i];
        long there = other.at(j).segment().address() + other.offsets[j];
        if (begin < there + other.lengths[j] && there < begin + lengths[i]) {
          return true;
        }
      }
    }
    return false;
  }
}
