// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several small all-reduces done as one: the group's thread puts their data side by side, the
 * operation reduces it in place, and the thread that finishes the operation copies the results to
 * their places.
 */
@AnyThread
final class Aggregate {
  /** The longest all-reduce that is put together with others. */
  static final long MAX_PART_BYTES = 8 << 10;

  /** The most bytes that are put together. */
  static final long MAX_BYTES = 64 << 10;

  private final StagingMemory staging;
  private final List<MemorySegment> outputs = new ArrayList<>();
  private StagingMemory.@Nullable Buffer buffer;
  private long bytes;

  /** Borrows a buffer of {@code capacity} bytes. */
  Aggregate(StagingMemory staging, long capacity) {
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
    StagingMemory.Buffer lent = buffer;
    if (lent == null) {
      throw new IllegalStateException("the buffer was given back");
    }
    return lent.memory();
  }

  /** Returns what to reduce, in place. */
  synchronized MemorySegment data() {
    return memory().asSlice(0, bytes);
  }

  /** Copies the results to their places; the reduction must be done. */
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

  /** Gives the buffer back, used or not. */
  synchronized void release() {
    if (buffer != null) {
      staging.giveBack(buffer);
      buffer = null;
    }
  }
}
