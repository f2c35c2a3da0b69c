// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.PendingCommunicator;
import io.nitinol.core.Work;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/** The communicator is made in the background; work goes on, and gives up after a while. */
final class NonBlockingInit {
  public static void main(String[] args) {
    CommConfig config = CommConfig.standard().withName("trainer");
    PendingCommunicator pending = Communicator.fromEnvironmentAsync(config);
    Communicator communicator = pending.poll();
    for (int second = 0; communicator == null; second++) {
      if (second == 60) {
        pending.abort(); // the others hear of it
        throw new IllegalStateException("the other ranks did not come");
      }
      communicator = pending.await(Duration.ofSeconds(1)); // or load data meanwhile
    }
    try (Arena arena = Arena.ofShared();
        Communicator closing = communicator) {
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
      Work work = closing.allReduce(value, value, 1, DataType.INT64, ReductionOp.SUM);
      work.completion()
          .thenRun(() ->
              System.out.println(
                  "rank " + closing.rank() + ": " + value.get(ValueLayout.JAVA_LONG, 0)
                      + " ranks"))
          .toCompletableFuture()
          .join();
      closing.finish(); // everybody is done; now closing waits for nobody
    }
  }
}
