// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.Communicator;
import io.nitinol.core.PersistentCall;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An all-reduce that is made once and started in each step of a loop. */
final class PersistentSum {
  private static final int COUNT = 1000;

  public static void main(String[] args) {
    try (Arena arena = Arena.ofShared();
        Communicator communicator = Communicator.fromEnvironment()) {
      MemorySegment mine = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      MemorySegment sum = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
      float total = 0;
      try (PersistentCall allReduce =
          communicator
              .persistent()
              .allReduce(mine, sum, COUNT, DataType.FLOAT32, ReductionOp.SUM)) {
        for (int step = 0; step < 10; step++) {
          for (int i = 0; i < COUNT; i++) {
            mine.setAtIndex(ValueLayout.JAVA_FLOAT, i, step + communicator.rank());
          }
          allReduce.start().await(); // checks nothing again, allocates nothing
          total += sum.getAtIndex(ValueLayout.JAVA_FLOAT, COUNT - 1);
        }
      }
      System.out.println("rank " + communicator.rank() + ": ten steps add up to " + total);
    }
  }
}
