// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class CLibraryTest {
  private static final int NO_DESCRIPTOR = -1;
  private static final int EFAULT = 14;

  /** As often as JIT compilers do not mind, and more than method handles take to settle. */
  private static final int FEW = 500;

  /** In one of which the JVM takes nothing for itself. */
  private static final int ATTEMPTS = 5;

  @Test
  void aWaitAllocatesNothingEvenBeforeItIsCompiled() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(Libibverbs.ERRNO_LAYOUT);
      MemorySegment poll = CLibrary.pollArgument(arena);
      assertThat(wait(errno, poll, FEW)).isZero();
      long before = threads.getCurrentThreadAllocatedBytes();
      long empty = threads.getCurrentThreadAllocatedBytes() - before;
      int each = FEW / ATTEMPTS;
      long least = Long.MAX_VALUE;
      for (int i = 0; i < ATTEMPTS; i++) {
        before = threads.getCurrentThreadAllocatedBytes();
        int ready = wait(errno, poll, each);
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before - empty);
        assertThat(ready).isZero();
      }
      // A wait that allocates takes 16 bytes or more; the JVM may take some once for itself.
      assertThat(least).as("bytes in %d waits", each).isLessThan(each);
    }
  }

  private static int wait(MemorySegment errno, MemorySegment poll, int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) {
      sum += CLibrary.awaitReadable(errno, poll, NO_DESCRIPTOR, 0);
    }
    return sum;
  }

  @Test
  void aWaitThatFailsLeavesErrno() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = arena.allocate(Libibverbs.ERRNO_LAYOUT);
      MemorySegment nowhere = MemorySegment.ofAddress(8).reinterpret(8);
      assertThat(CLibrary.poll(errno, nowhere, 0)).isEqualTo(-1);
      assertThat(errno.get(JAVA_INT, 0)).isEqualTo(EFAULT);
    }
  }
}
