// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.init;

import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * A rank in a process of its own: says that it is there, waits for a line, makes its communicator,
 * and says how many nanoseconds that and a first all-reduce after it took, and how many processor
 * nanoseconds the first. After another line, when all have done so, it says what it holds.
 */
final class InitRank {
  private InitRank() {}

  /**
   * Runs a rank.
   *
   * @param arguments the unique id, the rank, the number of ranks
   */
  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    if (in.readLine() == null) {
      return; // the bench has gone
    }
    UniqueId id = UniqueId.parse(arguments[0]);
    int rank = Integer.parseInt(arguments[1]);
    int size = Integer.parseInt(arguments[2]);
    long usedBefore = cpuNanos();
    long start = System.nanoTime();
    try (Communicator communicator = Communicator.init(id, size, rank)) {
      long there = System.nanoTime();
      long used = cpuNanos() - usedBefore;
      reduce(communicator);
      System.out.printf(
          Locale.ROOT, "init %d %d %d%n", there - start, System.nanoTime() - there, used);
      if (in.readLine() != null) {
        System.out.println(Holding.ofThisProcess().line());
        in.readLine(); // until all have looked
      }
    }
  }

  /** Returns the processor time of this process. */
  static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  /** Runs an all-reduce of one element, and throws where its result is wrong. */
  static void reduce(Communicator communicator) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment own = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment sum = arena.allocate(ValueLayout.JAVA_INT);
      own.set(ValueLayout.JAVA_INT, 0, communicator.rank() + 1);
      communicator.allReduce(own, sum, 1, DataType.INT32, ReductionOp.SUM).await();
      int expected = communicator.size() * (communicator.size() + 1) / 2;
      int found = sum.get(ValueLayout.JAVA_INT, 0);
      if (found != expected) {
        throw new IllegalStateException("the sum is " + found + ", expected " + expected);
      }
    }
  }
}
