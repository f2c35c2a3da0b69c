// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What is counted from one look to the next, and what is said of ranks that stand still. */
class RankHistoryTest {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final long MICROS = TimeUnit.SECONDS.toMicros(1);

  private final RankHistory history = new RankHistory();

  /** A rank of two on this host that waits for the other one, if it is in a call. */
  private static LiveRank rank(
      int rank, int called, int done, long bytes, long moves, long quietMicros) throws Exception {
    String operation =
        called == done
            ? ""
            : """
            {"collective":"all_reduce","call":"the call","number":%d,"state":"begun",
            "submitted_us":null,"begun_us":null}\
            """
                .formatted(done + 1);
    String wait =
        called == done
            ? ""
            : "{\"rank\":%d,\"process\":\"p%d\",\"transport\":\"SHM\",\"for\":\"a message\"}"
                .formatted(1 - rank, 1 - rank);
    return LiveRank.of(
        MAPPER.readTree(
            """
            {"communicator":"a","name":null,"rank":%d,"size":2,"host":"h","pid":%d,"process":"p%d",
            "ranks_of_host":[0,1],"failure":null,"written_us":100000000,"submitted":%d,
            "completed":%d,"collectives":%d,"collectives_done":%d,"bytes":%d,"moves":%d,
            "quiet_us":%d,"waits":[%s],"operations":[%s]}\
            """
                .formatted(
                    rank,
                    4711 + rank,
                    rank,
                    called,
                    done,
                    called,
                    done,
                    bytes,
                    moves,
                    quietMicros,
                    wait,
                    operation)));
  }

  private static LiveLook look(long second, LiveRank... ranks) {
    return LiveLook.of(TimeUnit.SECONDS.toNanos(second), List.of(ranks));
  }

  private RankHistory.Progress take(LiveLook look) {
    return Objects.requireNonNull(history.take(look).get(look.ranks().getFirst().key()));
  }

  @Test
  void ratesAreThoseSinceTheLookBefore() throws Exception {
    assertThat(take(look(10, rank(0, 5, 5, 1000, 50, 0))).hasRates()).isFalse();
    RankHistory.Progress progress = take(look(12, rank(0, 25, 25, 9000, 90, 0)));
    assertThat(progress.operationsPerSecond()).isEqualTo(10);
    assertThat(progress.bytesPerSecond()).isEqualTo(4000);
    assertThat(progress.underWayMicros()).isZero();
  }

  @Test
  void aRankThatMovesInItsCallDoesNotStand() throws Exception {
    take(look(10, rank(0, 6, 5, 0, 50, 0)));
    RankHistory.Progress progress = take(look(13, rank(0, 6, 5, 0, 51, 0)));
    assertThat(progress.underWayMicros()).isEqualTo(3 * MICROS);
    assertThat(progress.standingMicros()).isZero();
  }

  @Test
  void aRankInWhichNothingMovesStandsAlsoWhereItDoesNotKnow() throws Exception {
    take(look(10, rank(0, 6, 5, 0, 50, 0)));
    take(look(13, rank(0, 6, 5, 0, 50, 0)));
    assertThat(take(look(15, rank(0, 6, 5, 0, 50, 0))).standingMicros()).isEqualTo(5 * MICROS);
    assertThat(take(look(16, rank(0, 6, 5, 0, 50, 9 * MICROS))).standingMicros())
        .isEqualTo(9 * MICROS);
  }

  private CommunicatorView view(LiveLook look) {
    return CommunicatorView.of(look, history.take(look)).getFirst();
  }

  @Test
  void aRunningJobHasNoTrouble() throws Exception {
    LiveLook look = look(10, rank(0, 6, 5, 0, 50, 0), rank(1, 6, 5, 0, 50, 0));
    assertThat(view(look).diagnosis().troubled()).isFalse();
    assertThat(new TopText(false).lines("top", look, List.of(view(look))))
        .noneMatch(line -> line.contains("Rank 0 waits"));
  }

  @Test
  void aRankThatStandsStillIsToldWithTheOneThatIsBehind() throws Exception {
    LiveLook look = look(10, rank(0, 6, 5, 0, 50, 7 * MICROS), rank(1, 5, 5, 0, 50, 0));
    assertThat(new TopText(false).lines("top", look, List.of(view(look))))
        .contains(
            "  Rank 1 is behind: it has called 5 collective(s), another rank 6; it has not called"
                + " collective 6, the call; rank 0 has waited for 7.0 s.",
            "  Rank 0 waits for rank 1 over SHM: a message.");
  }

  @Test
  void aProcessThatDoesNotAnswerIsNamedWhereItsRankIsWaitedFor() throws Exception {
    LiveLook look = look(10, rank(0, 6, 5, 0, 50, 7 * MICROS));
    look.silent().put("p1", new LiveLook.Silent(4712, null, "", "is stopped"));
    assertThat(view(look).diagnosis().sentences())
        .contains("Rank 1 does not answer, and rank 0 waits for it: process 4712 is stopped.");
  }

  @Test
  void aRankWithoutAProcessIsMissing() throws Exception {
    LiveLook look = look(10, rank(0, 5, 5, 0, 50, 0));
    assertThat(view(look).diagnosis().sentences())
        .contains(
            "Rank 1 does not answer: its process has ended or closed the communicator, or has"
                + " NITINOL_TOP=0.");
  }
}
