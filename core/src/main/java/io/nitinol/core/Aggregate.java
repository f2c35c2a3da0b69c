// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several small all-reduces done as one: their data is put side by side, reduced in place, and
 * brought to its places by the thread that finishes it.
 */
final class Aggregate {
  /** The longest all-reduce that is put together with others. */
  static final long MAX_PART_BYTES = 8 << 10;

  /** The most bytes that are put together. */
  static final long MAX_BYTES = 64 << 10;

  private final Staging staging;
  private final List<MemorySegment> outputs = new ArrayList<>();
  private Staging.@Nullable Buffer buffer;
  private long bytes;

  /** Lends a buffer for {@code capacity} bytes. */
  Aggregate(Staging staging, long capacity) {
    this.staging = staging;
    this.buffer = staging.lend(capacity);
  }

  /** Adds what one all-reduce reads, and where its result goes, a segment of the same length. */
  synchronized void add(MemorySegment input, MemorySegment output) {
    memory().asSlice(bytes, input.byteSize()).copyFrom(input);
    outputs.add(output);
    bytes += input.byteSize();
  }

  private MemorySegment memory() {
    Staging.Buffer lent = buffer;
    if (lent == null) {
      throw new IllegalStateException("the buffer was given back");
    }
    return lent.memory();
  }

  /** Returns what to reduce, in place. */
  synchronized MemorySegment data() {
    return memory().asSlice(0, bytes);
  }

  /** Brings the results to their places; the reduction must be done. */
  synchronized void scatter() {
    if (buffer == null) {
      return;
    }
    long offset = 0;
    for (MemorySegment output : outputs) {
      output.copyFrom(memory().asSlice(offset, output.byteSize()));
      offset += output.byteSize();
    }
    release();
  }

  /** Gives the buffer back without having been used. */
  synchronized void release() {
    if (buffer != null) {
      staging.giveBack(buffer);
      buffer = null;
    }
  }
}
