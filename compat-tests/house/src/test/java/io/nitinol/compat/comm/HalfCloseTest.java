// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Connections of which one direction ends while two ranks reduce. Both fail with an error that
 * names the ranks, and long before {@code NITINOL_TIMEOUT}, since an end is no silence.
 */
class HalfCloseTest {
  /** Seconds of silence that the ranks are told to bear: longer than this test waits. */
  private static final int SILENCE = 600;

  @ParameterizedTest(name = "{0}, {1} sockets")
  @CsvSource({"SENDING,1", "SENDING,4", "RECEIVING,1", "RECEIVING,4"})
  @QuickRows({2, 3})
  @FirstRows(2)
  void isAnErrorOnBothSides(HalfClose.Direction direction, int sockets) throws Exception {
    try (RankProcesses ranks =
        new RankProcesses(
            2,
            rank ->
                Map.of(
                    "NCCL_HOSTID",
                    "host" + rank,
                    "NITINOL_TIMEOUT",
                    Integer.toString(SILENCE),
                    "NCCL_NSOCKS_PERTHREAD",
                    Integer.toString(sockets),
                    "NCCL_SOCKET_NTHREADS",
                    "1"),
            "halved",
            direction.name())) {
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "round 100");
      }
      ranks.tell(0);
      String halved = ranks.await(0, "halved ");
      // At least a channel each way. Where there are data streams, all goes over them.
      assertThat(Integer.parseInt(halved.substring("halved ".length())))
          .isGreaterThanOrEqualTo(2 * sockets);
      for (int rank = 0; rank < 2; rank++) {
        String failed = ranks.await(rank, "failed");
        System.err.println("HalfCloseTest, rank " + rank + ": " + failed);
        // Of two ranks each may blame the other, so who it was may be left open, or be both.
        assertThat(failed)
            .matches("failed (-1|0|1) rank [01] lost its connection with rank [01]: .*");
        assertThat(ranks.exit(rank)).isEqualTo(3);
      }
    }
  }
}
