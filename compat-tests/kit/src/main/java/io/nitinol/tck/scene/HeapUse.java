// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import com.sun.management.ThreadMXBean;
import io.nitinol.tck.session.Session;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures how much repeated work takes from the Java heap once it is compiled. Before, code makes
 * objects that are not needed, and memory of the compiler may be charged to the caller; on a busy
 * machine that phase lasts. So the least of several attempts counts, and they go on for seconds.
 */
public final class HeapUse {
  private static final int ATTEMPTS = 4;
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
   * Measures until it is little enough.
   *
   * @param enough fewer bytes than this are none
   * @param work is repeated for a while before each attempt
   * @param measured does the work that counts, and returns its bytes
   * @return the bytes of the best attempt
   */
  public static long least(Session session, long enough, Runnable work, LongSupplier measured) {
    long limit = Math.min(MOST, session.terms().patience().nanos());
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS || System.nanoTime() - start < limit; attempt++) {
      long warm = System.nanoTime();
      do {
        work.run();
      } while (System.nanoTime() - warm < WARM_UP);
      least = Math.min(least, measured.getAsLong());
      if (least < enough) {
        return least;
      }
    }
    return least;
  }
}
