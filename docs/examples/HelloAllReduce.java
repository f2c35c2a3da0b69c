// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.Communicator;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** All ranks add up their vectors, in native memory. */
final class HelloAllReduce {
  public static void main(String[] args) {
    // The arena first: it is closed last, when the communicator uses the buffer no more.
    try (Arena arena = Arena.ofShared();
        Communicator communicator = Communicator.fromEnvironment()) {
      int rank = communicator.rank();
      long count = 1_000_000;
      MemorySegment values = arena.allocate(count * Float.BYTES, 64);
      for (long i = 0; i < count; i++) {
        values.setAtIndex(ValueLayout.JAVA_FLOAT, i, rank + 1);
      }
      communicator
          .allReduce(values, values, count, DataType.FLOAT32, ReductionOp.SUM) // in place
          .await();
      System.out.println(
          "rank " + rank + " of " + communicator.size() + ": every element is "
              + values.getAtIndex(ValueLayout.JAVA_FLOAT, count - 1));
    }
  }
}
