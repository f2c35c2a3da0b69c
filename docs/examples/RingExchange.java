// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.Communicator;
import io.nitinol.core.Group;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Every rank sends to the next and receives from the one before: a group, or all would wait. */
final class RingExchange {
  public static void main(String[] args) {
    try (Arena arena = Arena.ofShared();
        Communicator communicator = Communicator.fromEnvironment()) {
      int rank = communicator.rank();
      int ranks = communicator.size();
      MemorySegment out = arena.allocateFrom(ValueLayout.JAVA_INT, 100 + rank);
      MemorySegment in = arena.allocate(ValueLayout.JAVA_INT);
      Work received;
      try (Group _ = Group.start()) {
        communicator.send(out, 1, DataType.INT32, (rank + 1) % ranks);
        received = communicator.recv(in, 1, DataType.INT32, (rank + ranks - 1) % ranks);
      }
      received.await(); // both: what a group sends and receives is one operation
      System.out.println("rank " + rank + " got " + in.get(ValueLayout.JAVA_INT, 0));
    }
  }
}
