// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Makes sure that no call with hostile bytes allocates much, whatever the bytes say. */
public final class Allocations {
  /** An exception with its trace and texts is a few KiB; a length that was believed is more. */
  private static final long MOST = 256 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The first use of each class and of each text that is put together makes much once. */
  private static final long MOST_AT_FIRST = 16 << 20;

  private static final long FIRST_CALLS = 10_000;

  private long calls;
  private long before;

  public void begin() {
    before = THREADS.getCurrentThreadAllocatedBytes();
  }

  public void end(int number) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    if (bytes > (calls++ < FIRST_CALLS ? MOST_AT_FIRST : MOST)) {
      throw new AssertionError("input " + number + ": one call allocated " + bytes + " bytes");
    }
  }
}
