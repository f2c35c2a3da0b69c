// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.sgd;

import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Sums the gradients of all ranks while the backward pass goes on. For example, with 26,000
 * gradients and buckets of 8,192 the first all-reduce starts when a third of the pass is done, and
 * only the end of the last one is waited for.
 *
 * <p>All ranks add gradients in the same order and of the same lengths, so their buckets are alike.
 * The communicator's progress thread moves the data. For one thread.
 */
final class GradientBuckets {
  private final Communicator communicator;
  private final MemorySegment gradients;
  private final long bucket;
  private final Queue<Work> underWay = new ArrayDeque<>();

  private long added;
  private long started;
  private long read;

  private long busySince;
  private long communicationNanos;
  private long waitNanos;

  /**
   * @param gradients native memory for all gradients of a step, 8 bytes each; to be freed after the
   *     communicator is closed
   * @param bucket how many gradients are reduced together, at least
   */
  GradientBuckets(Communicator communicator, MemorySegment gradients, long bucket) {
    this.communicator = communicator;
    this.gradients = gradients;
    this.bucket = bucket;
  }

  /** Takes the next gradients that are final on this rank, and starts a bucket that is full. */
  void add(long[] next) {
    MemorySegment.copy(next, 0, gradients, ValueLayout.JAVA_LONG, added * Long.BYTES, next.length);
    added += next.length;
    if (added - started >= bucket) {
      start();
    }
    lookAtOldest();
  }

  private void start() {
    MemorySegment part = gradients.asSlice(started * Long.BYTES, (added - started) * Long.BYTES);
    if (underWay.isEmpty()) {
      busySince = System.nanoTime();
    }
    underWay.add(
        communicator.allReduce(part, part, added - started, DataType.INT64, ReductionOp.SUM));
    started = added;
  }

  private void lookAtOldest() {
    while (!underWay.isEmpty() && underWay.element().isDone()) {
      ended();
    }
  }

  private void ended() {
    underWay.remove();
    if (underWay.isEmpty()) {
      communicationNanos += System.nanoTime() - busySince;
    }
  }

  /** Waits until all that was added is summed. The next step may be read and then added. */
  void finish() {
    if (added > started) {
      start();
    }
    long from = System.nanoTime();
    while (!underWay.isEmpty()) {
      underWay.element().await();
      ended();
    }
    waitNanos += System.nanoTime() - from;
    added = 0;
    started = 0;
    read = 0;
  }

  /** Gives the next sums, in the order in which gradients were added. */
  void next(long[] sums) {
    MemorySegment.copy(gradients, ValueLayout.JAVA_LONG, read * Long.BYTES, sums, 0, sums.length);
    read += sums.length;
  }

  /**
   * Returns for how long all-reduces were under way, from the start of a bucket until its end was
   * seen. The wait for ranks that are later is part of it.
   */
  long communicationNanos() {
    return communicationNanos;
  }

  /** Returns for how long this rank did nothing but wait for them. */
  long waitNanos() {
    return waitNanos;
  }
}
