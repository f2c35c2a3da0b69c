// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Arbiter;

/**
 * Rings that test after test uses: they hold too much memory to be made for each, and in use they
 * have old content, which is what a reader that comes too early sees. A test takes a ring when its
 * state is made and gives it back in its {@link Arbiter}.
 */
public final class Pool<T> {
  private final ConcurrentLinkedQueue<T> free = new ConcurrentLinkedQueue<>();
  private final Supplier<T> maker;

  /** Creates an empty pool. */
  public Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns a ring that no other state has. */
  public T take() {
    T old = free.poll();
    return old == null ? maker.get() : old;
  }

  /** Takes a ring back. */
  public void give(T ring) {
    free.add(ring);
  }
}
