// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Calls by function pointer, with functions of the C library in a device's place. */
class DataPathTest {
  /** It takes one argument, and does not look at those after it. */
  private static final MemorySegment LABS = Linker.nativeLinker().defaultLookup().findOrThrow("labs");

  @Test
  void theFunctionThatIsGivenIsCalled() {
    assertThat(DataPath.pollCq(LABS, -7, 1, 2)).isEqualTo(7);
    assertThat(DataPath.post(LABS, -8, 1, 2)).isEqualTo(8);
    MemorySegment address = MemorySegment.ofAddress(-9);
    assertThat(DataPath.reqNotifyCq(LABS, address, 0)).isEqualTo(9);
  }

  @Test
  void aCallAllocatesNothing() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = rounds(20_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    long empty = threads.getCurrentThreadAllocatedBytes() - before;
    before = threads.getCurrentThreadAllocatedBytes();
    sum += rounds(20_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before - empty;
    assertThat(sum).isEqualTo(40_000L * (1 + 2));
    // Not each call does; the JVM itself may once.
    assertThat(allocated).as("bytes in 40000 calls").isLessThan(40_000);
  }

  private static long rounds(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += DataPath.pollCq(LABS, -1, 16, 0);
      sum += DataPath.post(LABS, -2, 0, 0);
    }
    return sum;
  }
}
