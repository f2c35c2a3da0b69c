// SPDX-License-Identifier: Apache-2.0
import io.nitinol.core.Communicator;
import io.nitinol.spi.ReductionOp;

/** Ranks in a grid two wide: a communicator for each row and one for each column. */
final class RowsAndColumns {
  public static void main(String[] args) {
    try (Communicator all = Communicator.fromEnvironment()) {
      int rank = all.rank();
      int row = rank / 2;
      int column = rank % 2;
      try (Communicator inRow = all.split(row, rank);
          Communicator inColumn = all.split(column, rank)) {
        long[] rowSum = {rank};
        long[] columnSum = {rank};
        inRow.blocking().allReduce(rowSum, ReductionOp.SUM);
        inColumn.blocking().allReduce(columnSum, ReductionOp.SUM);
        System.out.println(
            "rank " + rank + ": row " + row + " adds up to " + rowSum[0]
                + ", column " + column + " to " + columnSum[0]);
      }
    }
  }
}
