// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.TeamWindow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A window: where each rank's piece lies for this rank's device. */
final class CudaWindow implements TeamWindow {
  private final CudaTeamMemory pieces;
  private final int rank;
  private final long size;
  private final Consumer<CudaWindow> leave;
  private final AtomicBoolean closed = new AtomicBoolean();

  CudaWindow(CudaTeamMemory pieces, int rank, long size, Consumer<CudaWindow> leave) {
    this.pieces = pieces;
    this.rank = rank;
    this.size = size;
    this.leave = leave;
  }

  @Override
  public long address() {
    return pieces.address(rank);
  }

  @Override
  public long size() {
    return size;
  }

  /** Returns whether bytes lie in this rank's piece. */
  boolean contains(long address, long bytes) {
    long offset = address - address();
    return offset >= 0 && offset <= size && bytes <= size - offset;
  }

  /** Returns the address that corresponds to one of this rank, on another rank. */
  long of(int other, long address) {
    return pieces.address(other) + (address - address());
  }

  /** Returns where another rank's device finds a byte of this rank's piece. */
  long seenBy(int other, long address) {
    return pieces.seenBy(other) + (address - address());
  }

  /** Lets go of the pieces without asking the others. */
  void release() {
    if (closed.compareAndSet(false, true)) {
      pieces.close();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      ClosingSteps steps = new ClosingSteps();
      steps.run(pieces::close);
      steps.run(() -> leave.accept(this)); // the others wait for it
      steps.finish();
    }
  }
}
