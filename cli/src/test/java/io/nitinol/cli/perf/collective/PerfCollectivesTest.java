// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sizes, counts and factors that nccl-tests has. */
class PerfCollectivesTest {

  /** With 3 ranks, 1000 bytes of float: 83 elements for each rank, 80 aligned to 16 bytes. */
  @ParameterizedTest
  @CsvSource({
    "all_reduce, 250, 1000, 1000, 1.3333333",
    "all_gather, 80, 320, 960, 0.6666667",
    "reduce_scatter, 80, 960, 320, 0.6666667",
    "broadcast, 250, 1000, 1000, 1",
    "reduce, 250, 1000, 1000, 1",
    "alltoall, 80, 960, 960, 0.6666667",
    "gather, 80, 320, 960, 0.6666667",
    "scatter, 80, 960, 320, 0.6666667",
    "sendrecv, 250, 1000, 1000, 1",
    // 80 elements x 3 ranks x 4 bytes: nothing to itself, a third to the next one, the rest
    "alltoallv, 80, 960, 960, 0.6666667",
    // 960 bytes in 9 parts, 1, 3 and 5 of them: 96, 320 and 528 aligned to 16 bytes
    "allgatherv, 80, 528, 944, 0.6666667",
    "gatherv, 80, 528, 944, 0.6666667",
    "scatterv, 80, 944, 528, 0.6666667"
  })
  void reckonsAsNcclTestsDoes(String label, long count, long send, long recv, double factor) {
    PerfCollective collective = Objects.requireNonNull(PerfCollectives.named(label));
    PerfJob job = job(collective, 1000, DataType.FLOAT32, 3);
    assertThat(job.count()).isEqualTo(count);
    assertThat(4 * collective.sendLength(job)).isEqualTo(send);
    assertThat(4 * collective.recvLength(job)).isEqualTo(recv);
    assertThat(collective.busFactor(3))
        .isCloseTo(factor, org.assertj.core.data.Offset.offset(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"INT8, 320", "FLOAT16, 160", "FLOAT64, 40"})
  void alignsBlocksToSixteenBytes(DataType type, long count) {
    PerfCollective collective = Objects.requireNonNull(PerfCollectives.named("all_gather"));
    assertThat(job(collective, 1000, type, 3).count()).isEqualTo(count);
    assertThat(job(collective, 47, type, 3).count()).isZero();
    assertThat(job(collective, 48, type, 3).count()).isEqualTo(16 / type.size());
  }

  @Test
  void whoIsInPlaceHasItsPartWhereItsRankIs() {
    for (PerfCollective collective : PerfCollectives.all()) {
      PerfJob job = job(collective, 1024, DataType.INT8, 4);
      boolean sends =
          List.of("all_gather", "gather", "allgatherv", "gatherv").contains(collective.label());
      boolean receives =
          List.of("reduce_scatter", "scatter", "scatterv").contains(collective.label());
      int begin = collective.label().endsWith("v") ? 64 + 3 * 64 + 5 * 64 : 3 * 256;
      assertThat(collective.sendOffset(job, 3)).isEqualTo(sends ? begin : 0);
      assertThat(collective.recvOffset(job, 3)).isEqualTo(receives ? begin : 0);
      assertThat(collective.hasInPlace())
          .isEqualTo(
              !List.of("alltoall", "alltoallv", "sendrecv", "barrier")
                  .contains(collective.label()));
    }
  }

  @Test
  void takesWhatIsSentAndNothingElse() {
    for (PerfCollective collective : PerfCollectives.all()) {
      PerfJob job = job(collective, 4096, DataType.INT8, 4);
      for (int rank = 0; rank < 4; rank++) {
        for (Piece piece : collective.result(job, rank)) {
          assertThat(piece.end()).isLessThanOrEqualTo(collective.recvLength(job));
          if (piece.source() != Piece.REDUCTION) {
            Piece source = collective.contribution(job, piece.source()).getFirst();
            assertThat(piece.from() + piece.count()).isLessThanOrEqualTo(source.end());
          }
        }
      }
    }
  }

  /** Of 12288 bytes, 6 parts of distance: none, 1, 2 and 3 sixths. */
  @ParameterizedTest
  @CsvSource({"1, 0, 2048, 4096, 6144", "0, 3072, 3072, 3072, 3072", "0.5, 1536, 2560, 3584, 4608"})
  void sendsMoreToRanksFurtherOn(double spread, long own, long next, long second, long third) {
    PerfCollective collective = PerfCollectives.allToAllV(spread);
    PerfJob job = job(collective, 12_288, DataType.INT8, 4);
    assertThat(collective.result(job, 2))
        .containsExactly(
            new Piece(0, second, 0, collective.result(job, 2).getFirst().from()),
            new Piece(second, next, 1, collective.result(job, 2).get(1).from()),
            new Piece(second + next, own, 2, collective.result(job, 2).get(2).from()),
            new Piece(second + next + own, third, 3, collective.result(job, 2).get(3).from()));
    // Rank 1 sends to 0 (distance 3) and to itself before it sends to 2.
    assertThat(collective.result(job, 2).get(1).from()).isEqualTo(third + own);
  }

  @Test
  void sendsWhatTheMatrixSays() {
    TrafficMatrix matrix =
        TrafficMatrix.read(List.of("100 200 150", "", "  50 100\t75 ", "300 150 2e2"), 1);
    assertThat(matrix.ranks()).isEqualTo(3);
    PerfCollective collective = PerfCollectives.allToAllV(matrix);
    PerfJob job = job(collective, 0, DataType.FLOAT32, 3);
    assertThat(job.count()).isZero();
    // The rows cut down to 16 bytes: 96 192 144, 48 96 64, 288 144 192.
    assertThat(4 * collective.sendLength(job)).isEqualTo(288 + 144 + 192);
    assertThat(4 * collective.recvLength(job)).isEqualTo(96 + 48 + 288);
    assertThat(collective.result(job, 1))
        .containsExactly(
            new Piece(0, 48, 0, 24), new Piece(48, 24, 1, 12), new Piece(72, 36, 2, 72));
    assertThat(TrafficMatrix.read(List.of("1"), 100).elements(job, 0, 0)).isEqualTo(24);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 2;3 | 2 rows, and one of 1 columns: expected as many of both
          1 2 | 1 rows, and one of 2 columns: expected as many of both
          1 2;3 x | line 2: 'x': expected a number of bytes
          1 -2;3 4 | line 1: '-2': expected a number of bytes
          1 NaN;3 4 | line 1: 'NaN': expected a number of bytes
          1 1e30;3 4 | line 1: '1e30': expected a number of bytes
          ; | no rows
          """)
  void saysWhatIsWrongInAMatrix(String text, String message) {
    assertThatThrownBy(() -> TrafficMatrix.read(List.of(text.split(";", -1)), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static PerfJob job(PerfCollective collective, long bytes, DataType type, int ranks) {
    long count = collective.count(bytes / type.size(), type, ranks);
    PerfOperator op = collective.reduces() ? PerfOperator.SUM : PerfOperator.NONE;
    return new PerfJob(type, op, collective.hasRoot() ? 0 : PerfJob.NO_ROOT, ranks, count);
  }
}
