// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;

/** The last rank gives up; the others notice, and go on without it. */
final class RecoverByShrink {
  public static void main(String[] args) {
    Communicator communicator = Communicator.fromEnvironment();
    int rank = communicator.rank();
    int[] value = {1};
    if (rank == communicator.size() - 1) {
      communicator.blocking().allReduce(value, ReductionOp.SUM);
      communicator.abort(); // or the process dies
      communicator.close();
      return;
    }
    try {
      // This one may already fail: the last rank is done with it before the others are.
      communicator.blocking().allReduce(value, ReductionOp.SUM);
      while (true) {
        communicator.blocking().allReduce(new float[1000], ReductionOp.SUM);
      }
    } catch (CommException e) {
      // The same rank is named everywhere. Close only after the survivors have met.
      try (Communicator failed = communicator;
          Communicator survivors = failed.shrink(e.failedRank())) {
        int[] left = {1};
        survivors.blocking().allReduce(left, ReductionOp.SUM);
        System.out.println(
            "rank " + rank + " is now rank " + survivors.rank() + " of " + left[0]
                + ": rank " + e.failedRank() + " is gone");
      }
    }
  }
}
