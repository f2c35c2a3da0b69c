// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The operations under way, in the order in which they were submitted. Any thread takes the next
 * number and publishes its descriptor; all executors go through them in order. Numbers start at 1.
 */
final class OperationRing {
  /** How many operations can be under way; a power of two. */
  static final int CAPACITY = 256;

  private final Operation[] slots = new Operation[CAPACITY];
  private final AtomicLong claimed = new AtomicLong();

  OperationRing() {
    for (int i = 0; i < CAPACITY; i++) {
      slots[i] = new Operation();
    }
  }

  /**
   * Takes number {@code last} + 1, whose descriptor is free once that - {@link #CAPACITY} is done.
   *
   * @param last the last number taken, as far as known
   * @return whether it was taken; if not another thread was faster
   */
  boolean claim(long last) {
    return claimed.compareAndSet(last, last + 1);
  }

  /** Returns the last number taken; its operation may not be published yet. */
  long last() {
    return claimed.get();
  }

  /** Returns the descriptor of a number. */
  Operation slot(long sequence) {
    return slots[(int) sequence & (CAPACITY - 1)];
  }

  /**
   * Returns whether the descriptor of a number was that number's for as long as the caller has read
   * it, which is asked after the reads.
   *
   * <p>It is written again only after its next number is claimed. That claim may become visible
   * after what is written then, as on ARM before 8.1, but the one before cannot.
   */
  boolean isKept(long sequence) {
    VarHandle.acquireFence();
    return last() - sequence < CAPACITY - 1;
  }
}
