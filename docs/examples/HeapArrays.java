// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.BlockingCalls;
import io.nitinol.core.Communicator;
import io.nitinol.core.Elements;
import io.nitinol.spi.ReductionOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/** Arrays and buffers of Java, by calls that return when they are done. */
final class HeapArrays {
  public static void main(String[] args) {
    try (Communicator communicator = Communicator.fromEnvironment()) {
      int rank = communicator.rank();
      BlockingCalls calls = communicator.blocking();

      float[] gradient = {rank, 1, 2};
      calls.allReduce(gradient, ReductionOp.AVG); // copied to native memory and back

      FloatBuffer direct =
          ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).asFloatBuffer();
      direct.put(0, rank).put(1, 10);
      calls.allReduce(Elements.of(direct), ReductionOp.MAX); // not copied

      int[] mine = {rank, rank * rank};
      int[] everybodys = new int[2 * communicator.size()];
      calls.allGather(mine, everybodys);

      System.out.println(
          "rank " + rank + ": " + Arrays.toString(gradient) + " " + direct.get(0)
              + " " + Arrays.toString(everybodys));
    }
  }
}
