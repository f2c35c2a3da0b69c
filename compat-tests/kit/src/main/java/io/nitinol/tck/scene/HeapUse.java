// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import com.sun.management.ThreadMXBean;
import io.nitinol.tck.session.Session;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Measures how much repeated work takes from the Java heap once it is compiled. Before, code makes
 * objects that are not needed, and memory of the compiler may be charged to the caller; on a busy
 * machine that phase lasts. So the least of several attempts counts, and they go on for seconds.
 */
public final class HeapUse {
  private static final int ATTEMPTS = 4;
  private static final int BATCH = 100;

  /** After so many operations C2 has compiled what each of them calls, with room to spare. */
  private static final int COMPILED = 10_000;

  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long MOST = TimeUnit.SECONDS.toNanos(5);

  private HeapUse() {}

  /** Returns the JVM's counter of allocated bytes, or skips the rule if there is none. */
  public static ThreadMXBean counter(Session session) {
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
        || !threads.isThreadAllocatedMemorySupported()) {
      throw session.skip("this JVM does not count what threads allocate");
    }
    threads.setThreadAllocatedMemoryEnabled(true);
    return threads;
  }

  /**
   * Measures until it is little enough: fewer bytes than operations are none.
   *
   * @param operations how many of them are measured at a time
   * @param run does so many operations
   * @param threads counts what this thread allocates
   * @param others returns what other threads have allocated so far, and may allocate itself
   * @return the bytes of the best attempt
   * @throws io.nitinol.tck.check.Inapplicable where the operations are so slow that the JVM has not
   *     compiled what they call: such code allocates where compiled code does not
   */
  public static long least(
      Session session, int operations, IntConsumer run, ThreadMXBean threads, LongSupplier others) {
    long limit = Math.min(MOST, session.terms().patience().nanos());
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    int done = 0;
    for (int attempt = 0; attempt < ATTEMPTS || System.nanoTime() - start < limit; attempt++) {
      long warm = System.nanoTime();
      do {
        run.accept(BATCH);
        done += BATCH;
      } while (System.nanoTime() - warm < WARM_UP);
      long othersBefore = others.getAsLong();
      long before = threads.getCurrentThreadAllocatedBytes();
      run.accept(operations);
      long own = threads.getCurrentThreadAllocatedBytes() - before;
      least = Math.min(least, own + others.getAsLong() - othersBefore);
      done += operations;
      if (least < operations) {
        return least;
      }
    }
    if (done < COMPILED) {
      throw session.skip(
          "too slow here: the JVM compiles what %d operations call, and %d took %d s"
              .formatted(
                  COMPILED, done, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)));
    }
    return least;
  }
}
