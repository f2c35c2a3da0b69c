// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A step that several threads work on, a block after the other; used again for the next step. Which
 * thread does a block makes no difference to its bits.
 */
abstract class SharedStep implements HelperWork {
  private static final VarHandle NEXT;

  static {
    try {
      NEXT = MethodHandles.lookup().findVarHandle(SharedStep.class, "next", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // by NEXT
  private long next;

  private long blocks;
  private volatile @Nullable Throwable failure;

  /** Begins a step of {@code count} blocks, which others see once it is offered to them. */
  final void begin(long count) {
    blocks = count;
    failure = null;
    NEXT.setVolatile(this, 0L);
  }

  /** Does blocks until none is left. */
  @Override
  public final void work(MemorySegment mine) {
    try {
      for (long block = claim(); block < blocks; block = claim()) {
        block(block, mine);
      }
    } catch (Throwable e) {
      failure = e; // thrown by the thread whose step it is
    }
  }

  private long claim() {
    return (long) NEXT.getAndAdd(this, 1L);
  }

  final void rethrow() {
    Throwable e = failure;
    if (e instanceof RuntimeException own) {
      throw own;
    }
    if (e instanceof Error own) {
      throw own;
    }
    if (e != null) { // an operator in another language of the JVM may throw what Java would check
      throw new IllegalStateException("a step failed: " + e, e);
    }
  }

  /** Returns what the thread calculates in whose step it is. */
  abstract MemorySegment scratch();

  /** Does one block; {@code mine} is {@link Fold#BLOCK_BYTES} bytes of the calling thread's. */
  abstract void block(long number, MemorySegment mine);
}
