// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.Operation;
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
}
