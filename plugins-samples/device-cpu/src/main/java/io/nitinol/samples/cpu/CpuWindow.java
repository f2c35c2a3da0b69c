// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.TeamWindow;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A window: the pieces of all ranks, opened in this process. */
final class CpuWindow implements TeamWindow {
  private final MemorySegment own;
  private final CpuTeamMemory pieces;
  private final Consumer<CpuWindow> leave;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes over the pieces.
   *
   * @param leave what the team does when the caller closes the window: it meets the other ranks
   */
  CpuWindow(MemorySegment own, CpuTeamMemory pieces, Consumer<CpuWindow> leave) {
    this.own = own;
    this.pieces = pieces;
    this.leave = leave;
  }

  @Override
  public long address() {
    return own.address();
  }

  @Override
  public long size() {
    return own.byteSize();
  }

  boolean contains(long address, long bytes) {
    long offset = address - own.address();
    return offset >= 0 && offset <= size() && bytes <= size() - offset;
  }

  /** Returns the bytes of another rank, or this one, that are as far in as {@code address} here. */
  MemorySegment of(int rank, long address, long bytes) {
    return pieces.of(rank).asSlice(address - own.address(), bytes);
  }

  /** Closes the pieces before it meets the others: then their memory is open nowhere any more. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        pieces.close();
      } finally {
        leave.accept(this); // the others wait for this rank, whatever became of the pieces
      }
    }
  }

  /** Closes the pieces here, without the other ranks. */
  void release() {
    if (closed.compareAndSet(false, true)) {
      pieces.close();
    }
  }
}
