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

  /**
   * What the best of several attempts took.
   *
   * @param own bytes of the thread that calls the plugin
   * @param others bytes of other threads
   * @param attempts how many there were
   */
  public record Use(long own, long others, int attempts) {
    /** Returns all bytes. */
    public long bytes() {
      return own + others;
    }

    @Override
    public String toString() {
      return "%d bytes on the Java heap (calling thread %d, threads of the plugin %d; best of %d attempts)"
          .formatted(bytes(), own, others, attempts);
    }
  }

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
   * @return what the best attempt took
   * @throws io.nitinol.tck.check.Inapplicable where the operations are so slow that the JVM has not
   *     compiled what they call: such code allocates where compiled code does not
   */
  public static Use least(
      Session session, int operations, IntConsumer run, ThreadMXBean threads, LongSupplier others) {
    long limit = Math.min(MOST, session.terms().patience().nanos());
    long start = System.nanoTime();
    Use least = new Use(Long.MAX_VALUE, 0, 0);
    int done = 0;
    for (int i = 1; i <= ATTEMPTS || System.nanoTime() - start < limit; i++) {
      long warm = System.nanoTime();
      do {
        run.accept(BATCH);
        done += BATCH;
      } while (System.nanoTime() - warm < WARM_UP);
      long othersBefore = others.getAsLong();
      long before = threads.getCurrentThreadAllocatedBytes();
      run.accept(operations);
      long own = threads.getCurrentThreadAllocatedBytes() - before;
      Use use = new Use(own, others.getAsLong() - othersBefore, i);
      least = use.bytes() < least.bytes() ? use : new Use(least.own, least.others, i);
      done += operations;
      if (least.bytes() < operations) {
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
