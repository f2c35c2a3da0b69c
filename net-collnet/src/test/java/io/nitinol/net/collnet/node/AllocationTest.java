// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the threads of a switch allocate while data flow: nothing. */
final class AllocationTest {
  private static final int OPERATIONS = 400;

  /**
   * Some bytes for each segment would be more; the clock and the compiler's leftovers are allowed.
   */
  private static final long MOST_BYTES = 40_000;

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().matches("Switch-\\d+")) {
        sum += threads.getThreadAllocatedBytes(thread.threadId());
      }
    }
    return sum;
  }

  private static long run(TestGroup group, SwitchWork[] works, long number) {
    for (int i = 0; i < OPERATIONS; i++) {
      SwitchWork work = works[i % works.length];
      Descriptor of = work.of;
      switch (of.kind()) {
        case ALL_REDUCE -> of.allReduce(number, of.windowBytes() / 4, of.type(), of.op());
        case ALL_GATHER ->
            of.allGather(number, of.bytesPerRank(), of.windowOffset(), of.windowBytes());
        default ->
            of.reduceScatter(
                number, of.bytesPerRank(), of.windowOffset(), of.windowBytes(), of.type(), of.op());
      }
      group.run(work);
      number++;
    }
    return number;
  }

  @Test
  void noSegmentAndNoOperationAllocates() {
    try (SwitchFabric fabric = new SwitchFabric();
        Arena arena = Arena.ofShared()) {
      Switch root = fabric.root();
      Switch leaf = fabric.below(root);
      TestGroup group =
          fabric.join(root.address(), leaf.address(), root.address(), leaf.address()).awaitReady();
      Random random = new Random(5);
      SwitchWork[] works = {
        SwitchWork.of(
            new Descriptor().allReduce(0, 9, DataType.INT32, ReductionOp.SUM), random, 4, arena),
        SwitchWork.of(
            new Descriptor().allReduce(0, 200_000, DataType.INT32, ReductionOp.MAX),
            random,
            4,
            arena),
        SwitchWork.of(new Descriptor().allGather(0, 100_000, 50, 300_000), random, 4, arena),
        SwitchWork.of(
            new Descriptor()
                .reduceScatter(0, 100_000, 40, 300_000, DataType.INT32, ReductionOp.SUM),
            random,
            4,
            arena)
      };
      long number = 0;
      for (int i = 0; i < 3; i++) {
        number = run(group, works, number); // whatever is compiled or loaded is so afterwards
      }
      long segments = root.stats().segments() + leaf.stats().segments();
      long before = allocated();
      run(group, works, number);
      long bytes = allocated() - before;
      segments = root.stats().segments() + leaf.stats().segments() - segments;
      assertThat(segments).isGreaterThan(2_500);
      assertThat(before).as("threads of the switches were found").isPositive();
      assertThat(bytes).as("allocated for %d segments", segments).isLessThan(MOST_BYTES);
    }
  }
}
