// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/** On the CPU PyTorch's functions return when they are done, and progress threads move the data. */
final class HostGradientSum implements GradientSum {
  private final Communicator communicator;
  private final MemorySegment all;
  private final Queue<Work> underWay = new ArrayDeque<>();

  private long waitNanos;

  HostGradientSum(Communicator communicator, long address, long count) {
    this.communicator = communicator;
    this.all = MemorySegment.ofAddress(address).reinterpret(count * Float.BYTES);
  }

  @Override
  public void start(long first, long length) {
    MemorySegment part = all.asSlice(first * Float.BYTES, length * Float.BYTES);
    underWay.add(communicator.allReduce(part, part, length, DataType.FLOAT32, ReductionOp.SUM));
  }

  @Override
  public void finish() {
    long from = System.nanoTime();
    while (!underWay.isEmpty()) {
      underWay.element().await();
      underWay.remove();
    }
    waitNanos += System.nanoTime() - from;
  }

  @Override
  public long waitNanos() {
    return waitNanos;
  }

  @Override
  public void close() {
    if (!underWay.isEmpty()) {
      // A step has failed. PyTorch is to free no gradient that is still being summed, and a
      // communicator that is closed has let go of all memory.
      communicator.abort();
      communicator.close();
    }
  }
}
