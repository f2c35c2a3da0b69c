// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.spi.DataType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Figures in their units. Measured ones have bounds that hold on any machine: a send sleeps for a
 * time, and all operations of a run take no longer than the run.
 */
class PerfUnitsTest {
  private static final double SEND_SECONDS = 0.003;
  private static final int WINDOW = 8;
  private static final int ITERATIONS = 4;
  private static final PerfPlan.Timing TIMING =
      new PerfPlan.Timing(0, 0, 0, ITERATIONS, WINDOW, 1, PerfPlan.Blocking.NONE);
  private static final PerfJob JOB =
      new PerfJob(DataType.FLOAT32, PerfOperator.NONE, PerfJob.NO_ROOT, 2, 16_384);

  /** A rate of windows would be too low by their length, one of the time of a message too high. */
  @Test
  void theRateIsThatOfSingleMessages() throws Exception {
    List<PerfRow> rows = new ArrayList<>();
    double seconds =
        run(
            2,
            plan(new PerfMode.Rate(false, WINDOW), PerfCollectives.halves(false)),
            (plan, session) ->
                new RankRun(plan, session, _ -> {})
                    .run(row -> {
                      if (session.rank() == 0) {
                        rows.add(row);
                      }
                    }));
    PerfRow row = rows.getFirst();
    double each = row.outOfPlace().seconds();
    assertThat(each).isBetween(SEND_SECONDS, seconds / (ITERATIONS * WINDOW));
    assertThat(row.messageRate()).isCloseTo(1 / each, within(1e-6));
    assertThat(row.outOfPlace().algorithmBandwidth(row.bytes()))
        .isCloseTo(row.bytes() / each / 1e9, within(1e-12));
  }

  @Test
  void latencyAndBandwidthOfPairsAreOfOneMessage() throws Exception {
    List<PairFigures> pairs = new ArrayList<>();
    double seconds =
        run(
            3,
            plan(new PerfMode.Pairs(WINDOW), PerfCollectives.halves(false)),
            (plan, session) -> {
              List<PairFigures> all = new PairRun(plan, session, _ -> {}).run(_ -> {});
              if (session.rank() == 2) { // the figures are the same on all ranks
                pairs.addAll(all);
              }
            });
    double rounds = 0;
    double windows = 0;
    for (PairFigures pair : pairs) {
      assertThat(pair.latency()).as(pair.name()).isGreaterThanOrEqualTo(SEND_SECONDS);
      assertThat(pair.row().outOfPlace().seconds())
          .as(pair.name())
          .isGreaterThanOrEqualTo(SEND_SECONDS);
      rounds += pair.latency() * 2 * ITERATIONS;
      windows += pair.row().outOfPlace().seconds() * ITERATIONS * WINDOW;
    }
    assertThat(pairs).hasSize(6);
    assertThat(rounds + windows).as("all of them took place in the run").isLessThan(seconds);
  }

  /** Or the ranks that have no part in a pair would wait for it longer than they may. */
  @Test
  void ranksOfAPairMeetTheOthersBeforeTheyAreDone() throws Exception {
    PerfPlan.Timing timing = new PerfPlan.Timing(0, 0, 0, 120, 1, 1, PerfPlan.Blocking.NONE);
    PerfPlan plan =
        Plans.with(plan(new PerfMode.Pairs(1), PerfCollectives.halves(false)), timing, 0);
    MailSessions ranks = new MailSessions(3, 2_000_000);
    run(ranks, plan, (each, session) -> new PairRun(each, session, _ -> {}).run(_ -> {}));
    // 100 ms, the longest piece, have 50 on any machine, and 2 go before it. Pieces that only grow
    // fourfold would have 128, and the whole 240.
    assertThat(ranks.mostSendsWithoutMeeting()).isBetween(2, 52);
  }

  @Test
  void theTablesShowMicrosecondsAndGigabytesASecond() {
    Measurement message = new Measurement(10e-6, 10e-6, 10e-6, 10e-6, 0);
    PerfRow row = new PerfRow(65_536, JOB, 1, 3, message, null);
    assertThat(ResultTable.row(Plans.REPORTING, row, LocalDateTime.MIN).strip().split(" +"))
        .containsExactly(
            "65536", "16384", "float", "none", "-1", "10.00", "6.55", "6.55", "0", "N/A", "N/A",
            "N/A", "N/A", "300000");
    PairFigures there = new PairFigures(0, 1, 12.5e-6, new PerfRow(65_536, JOB, 1, message, null));
    Measurement slow = new Measurement(20e-6, 20e-6, 20e-6, 20e-6, 0);
    PairFigures back = new PairFigures(1, 0, 7.5e-6, new PerfRow(65_536, JOB, 1, slow, null));
    assertThat(PairTable.lines(List.of(there, back)))
        .containsExactly(
            "# Latency (us): half a round trip, which the rank of the line begins",
            "#  from      to 0      to 1",
            "      0         -     12.50",
            "      1      7.50         -",
            "#",
            "# Bandwidth (GB/s): from the rank of the line to that of the column",
            "#  from      to 0      to 1",
            "      0         -      6.55",
            "      1      3.28         -",
            "#",
            "# Longest latency      : 0 -> 1 with 12.5 us; the median is 10 us",
            "# Slowest pair         : 1 -> 0 with 3.2768 GB/s; the median is 4.9152 GB/s");
    IntervalFigures interval = new IntervalFigures(0.5, 1, 1234, row, false);
    assertThat(IntervalTable.line(interval).strip().split(" +"))
        .containsExactly("0.50-1.00", "1234", "10.00", "6.55", "6.55", "N/A", "N/A");
    JsonNode json =
        new PerfJsonReport(
                plan(new PerfMode.Table(), PerfCollectives.halves(false)),
                "0",
                List.of(),
                Instant.EPOCH)
            .document(
                "fake",
                List.of(),
                List.of(row),
                List.of(there, back),
                List.of(interval),
                new Totals());
    JsonNode result = json.path("results").get(0);
    assertThat(result.path("messages_per_second").asDouble()).isCloseTo(300_000, within(1e-3));
    assertThat(result.path("out_of_place").path("time").asDouble()).isCloseTo(10, within(1e-9));
    assertThat(result.path("out_of_place").path("alg_bw").asDouble())
        .isCloseTo(6.5536, within(1e-9));
    JsonNode pair = json.path("pairs").get(0);
    assertThat(pair.path("latency").asDouble()).isCloseTo(12.5, within(1e-9));
    assertThat(pair.path("time").asDouble()).isCloseTo(10, within(1e-9));
    assertThat(pair.path("bw").asDouble()).isCloseTo(6.5536, within(1e-9));
    assertThat(json.path("total").path("time").asDouble()).isCloseTo(10, within(1e-9));
  }

  /** Of fewer times than a hundred the 99th percentile is the longest one. */
  @Test
  void aPercentileThatThereIsNotIsNotShown() {
    for (int count : new int[] {1, 99, 100, 101}) {
      double[] times = new double[count];
      Arrays.setAll(times, i -> (i + 1) * 1e-6);
      Measurement of = new Measurement(1e-6, 1e-6, 1e-6, 1e-6, 0, true, Percentiles.of(times));
      IntervalFigures interval =
          new IntervalFigures(0, 1, count, new PerfRow(4, JOB, 1, of, null), false);
      String[] cells = IntervalTable.line(interval).strip().split(" +");
      assertThat(cells[6]).isEqualTo(count < 100 ? "N/A" : count == 100 ? "99.00" : "100.00");
    }
  }

  private static PerfPlan plan(PerfMode mode, PerfCollective collective) {
    PerfPlan plan =
        Plans.of("sendrecv", 64, 64, List.of(DataType.INT8), List.of(PerfOperator.NONE), 1);
    return new PerfPlan(
        collective,
        plan.range(),
        plan.types(),
        plan.ops(),
        plan.root(),
        TIMING,
        1,
        0,
        plan.reporting(),
        true,
        null,
        mode);
  }

  /** A rank's part of a run. */
  private interface Part {
    void run(PerfPlan plan, PerfSession session);
  }

  private static double run(int ranks, PerfPlan plan, Part part) throws Exception {
    return run(new MailSessions(ranks, (long) (SEND_SECONDS * 1e9)), plan, part);
  }

  /** Returns the seconds that it took. */
  private static double run(MailSessions ranks, PerfPlan plan, Part part) throws Exception {
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> running = new ArrayList<>();
      for (PerfSession session : ranks.all()) {
        running.add(threads.submit(() -> part.run(plan, session)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    return (System.nanoTime() - begin) / 1e9;
  }
}
