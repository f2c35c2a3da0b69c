// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.perf.FakeSessions.Mistake;
import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The measurement over collectives that can be broken: what is wrong must be seen. */
class RankJobTest {
  private static final List<PerfOperator> SUM = List.of(PerfOperator.SUM);

  static Stream<String> labels() {
    return PerfCollectives.all().stream().map(PerfCollective::label);
  }

  @ParameterizedTest
  @MethodSource("labels")
  void findsNothingWrongInWhatIsRight(String label) throws Exception {
    List<DataType> types = List.of(DataType.values());
    PerfPlan plan = Plans.of(label, 4, 1024, types, PerfOperator.reducing(), 2);
    for (int ranks = 1; ranks <= 3; ranks++) {
      JobRun run = JobRun.of(plan, ranks, Mistake.NONE);
      assertThat(run.err()).isEmpty();
      assertThat(run.statuses()).hasSize(ranks).containsOnly(ExitStatus.OK);
      assertThat(run.out()).contains("# Out of bounds values : 0 OK");
      int ops = plan.collective().reduces() ? 6 : 1;
      int roots = plan.collective().hasRoot() ? ranks : 1;
      assertThat(run.rows()).hasSize(12 * ops * roots * 9);
    }
  }

  static Stream<Arguments> mistakes() {
    return PerfCollectives.all().stream()
        .filter(PerfCollective::hasSizes)
        .flatMap(collective ->
            EnumSet.complementOf(EnumSet.of(Mistake.NONE)).stream()
                .filter(mistake -> canBeMade(mistake, collective))
                .map(mistake -> Arguments.of(collective.label(), mistake)));
  }

  private static boolean canBeMade(Mistake mistake, PerfCollective collective) {
    return switch (mistake) {
      case OTHER_ROOT -> collective.hasRoot();
      case RESULT_ON_ALL_RANKS ->
          Set.of("reduce", "gather", "gatherv").contains(collective.label());
      case BLOCKS_SWAPPED ->
          collective.busFactor(2) < 1 && !collective.label().equals("all_reduce");
      case SCALAR_FORGOTTEN -> collective.reduces();
      default -> true;
    };
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void seesEveryMistake(String label, Mistake mistake) throws Exception {
    PerfOperator op = mistake == Mistake.SCALAR_FORGOTTEN ? PerfOperator.MULSUM : PerfOperator.SUM;
    for (DataType type : List.of(DataType.INT8, DataType.FLOAT32, DataType.FLOAT64)) {
      PerfPlan plan = Plans.of(label, 960, 960, List.of(type), List.of(op), 2);
      JobRun run = JobRun.of(plan, 3, mistake);
      assertThat(run.statuses()).as("all ranks know").containsOnly(ExitStatus.WRONG_RESULT);
      assertThat(run.out()).contains("FAILED");
      assertThat(run.err()).contains(": " + label + " of ");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mistake.class,
      names = {"LAST_BIT_FLIPPED", "WRITTEN_BEHIND", "WRITTEN_BEFORE"})
  void countsOneWrongElementAsOne(Mistake mistake) throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 64, 64, List.of(DataType.INT32), SUM, 1);
    JobRun run = JobRun.of(plan, 3, mistake);
    assertThat(run.rows().getFirst()).containsPattern(" 1  .* 1$");
    assertThat(run.err().lines())
        .hasSize(2)
        .allMatch(line ->
            line.startsWith(
                mistake == Mistake.LAST_BIT_FLIPPED
                    ? "rank 1: all_reduce of 16 int32 sum: 1 elements are wrong, the first at"
                        + " index 15: expected "
                    : "rank 1: all_reduce of 16 int32 sum: 1 bytes beside the result were"
                        + " written"));
  }

  @Test
  void seesAnOperationThatDoesNothing() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 4096, 4096, List.of(DataType.FLOAT32), SUM, 1);
    JobRun run = JobRun.of(plan, 2, Mistake.NOTHING_DONE);
    // 1024 elements on 2 ranks; in place each rank keeps its own contribution.
    assertThat(run.rows().getFirst()).containsPattern(" 2048 .* 20\\d\\d$");
  }

  /** A barrier moves no data: what counts is that no rank goes before the last one has come. */
  @Test
  void seesABarrierThatHoldsNoRank() throws Exception {
    PerfPlan plan = Plans.of("barrier", 0, 0, List.of(DataType.INT8), SUM, 5);
    JobRun run = JobRun.of(plan, 3, Mistake.NOTHING_DONE);
    assertThat(run.statuses()).containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(run.out()).contains("FAILED");
    assertThat(run.err()).contains(": barrier of 0 int8: it ended before ");
  }

  @Test
  void seesAMistakeAfterTheIntervals() throws Exception {
    PerfPlan plan =
        Plans.in(
            new PerfMode.Intervals(10_000_000, 20_000_000),
            Plans.of("all_reduce", 64, 64, List.of(DataType.INT8), SUM, 1));
    assertThat(JobRun.of(plan, 2, Mistake.NONE).statuses()).containsOnly(ExitStatus.OK);
    JobRun run = JobRun.of(plan, 2, Mistake.LAST_BIT_FLIPPED);
    assertThat(run.statuses()).containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(run.rows().getLast()).endsWith("  total");
    assertThat(run.out()).contains("# Out of bounds values : 1 FAILED");
  }

  @Test
  void seesThatTheSendBufferWasWritten() throws Exception {
    PerfPlan plan = Plans.of("all_gather", 64, 64, List.of(DataType.INT64), SUM, 1);
    JobRun run = JobRun.of(plan, 2, Mistake.CONTRIBUTION_WRITTEN);
    assertThat(run.err())
        .contains("rank 1: all_gather of 4 int64: 1 elements of the send buffer were written")
        .as("in place it is part of the result")
        .contains("rank 1: all_gather of 4 int64: 1 elements are wrong, the first at index 4");
  }

  @Test
  void namesTheRoot() throws Exception {
    PerfPlan plan = Plans.of("broadcast", 64, 64, List.of(DataType.INT64), SUM, 1);
    JobRun run = JobRun.of(plan, 2, Mistake.OTHER_ROOT);
    assertThat(run.err()).contains("rank 0: broadcast of 8 int64 root 1: 8 elements are wrong");
    assertThat(run.rows()).hasSize(2);
    assertThat(run.rows().getFirst())
        .startsWith("          64             8     int64    none       0  ");
    assertThat(run.rows().getLast())
        .startsWith("          64             8     int64    none       1  ");
  }

  @Test
  void looksAtNothingWithoutChecks() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 64, 64, List.of(DataType.INT8), SUM, 0);
    JobRun run = JobRun.of(plan, 2, Mistake.NOTHING_DONE);
    assertThat(run.statuses()).containsOnly(ExitStatus.OK);
    assertThat(run.rows().getFirst()).containsPattern(" N/A .* N/A$");
  }

  @ParameterizedTest
  @MethodSource("labels")
  void measuresInEveryWay(String label) throws Exception {
    List<DataType> types = List.of(DataType.FLOAT16, DataType.FLOAT64);
    PerfPlan plan = Plans.of(label, 64, 1024, types, SUM, 1);
    for (PerfPlan.Blocking blocking : PerfPlan.Blocking.values()) {
      for (int unalign : new int[] {0, 1, 511}) {
        PerfPlan changed = Plans.with(plan, Plans.timing(3, blocking), unalign);
        JobRun run = JobRun.of(changed, 2, Mistake.NONE);
        assertThat(run.statuses()).as(run.err()).containsOnly(ExitStatus.OK);
      }
    }
  }

  @Test
  void goesThroughAllSizesAgain() throws Exception {
    PerfPlan plan = Plans.of("reduce", 64, 256, List.of(DataType.INT8), SUM, 1);
    PerfPlan.Timing twice = new PerfPlan.Timing(1, 0, 0, 1, 1, 2, PerfPlan.Blocking.NONE);
    JobRun run = JobRun.of(Plans.with(plan, twice, 0), 2, Mistake.NONE);
    assertThat(run.rows()).hasSize(2 * 2 * 3);
  }

  @Test
  void failsWhatIsTooSlow() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 64, 64, List.of(DataType.INT8), SUM, 1);
    PerfPlan.Reporting reporting = new PerfPlan.Reporting(PerfPlan.Average.MAX, false, false, 1e9);
    PerfPlan demanding =
        new PerfPlan(
            plan.collective(),
            plan.range(),
            plan.types(),
            plan.ops(),
            plan.root(),
            plan.timing(),
            plan.checks(),
            plan.unalign(),
            reporting,
            true,
            null,
            plan.mode());
    JobRun run = JobRun.of(demanding, 2, Mistake.NONE);
    assertThat(run.statuses()).containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(run.out())
        .contains(": 0 OK")
        .containsPattern("# Avg bus bandwidth    : .* FAILED\n");
  }

  @Test
  void writesWhatProgramsCanRead(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("result.json");
    PerfPlan plan =
        Plans.of("all_reduce", 4, 8, List.of(DataType.FLOAT16), List.of(PerfOperator.AVG), 1);
    JobRun.of(plan, 2, Mistake.NONE, file);
    JsonNode root = JsonMapper.builder().build().readTree(file);
    assertThat(root.path("program").asString()).isEqualTo("all_reduce_perf");
    assertThat(root.path("args").get(0).asString()).isEqualTo("the");
    assertThat(root.path("config").path("ranks").asInt()).isEqualTo(2);
    assertThat(root.path("config").path("devices")).hasSize(2);
    assertThat(root.path("versions").path("nitinol").asString()).isNotEmpty();
    JsonNode result = root.path("results").get(1);
    assertThat(root.path("results")).hasSize(2);
    assertThat(result.path("size").asLong()).isEqualTo(8);
    assertThat(result.path("count").asLong()).isEqualTo(4);
    assertThat(result.path("type").asString()).isEqualTo("half");
    assertThat(result.path("redop").asString()).isEqualTo("avg");
    assertThat(result.path("root").asString()).isEqualTo("-1");
    for (String place : List.of("out_of_place", "in_place")) {
      assertThat(result.path(place).path("time").asDouble()).isPositive();
      assertThat(result.path(place).path("cpu_time").asDouble()).isPositive();
      assertThat(result.path(place).path("nwrong").asLong(-1)).isZero();
    }
    assertThat(root.path("out_of_bounds").path("okay").asBoolean()).isTrue();
  }

  @Test
  void writesNoInPlaceFiguresWhereThereAreNone(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("result.json");
    PerfPlan plan = Plans.of("sendrecv", 64, 64, List.of(DataType.FLOAT16), SUM, 1);
    JobRun run = JobRun.of(plan, 2, Mistake.NONE, file);
    JsonNode root = JsonMapper.builder().build().readTree(file);
    assertThat(root.path("results").get(0).path("in_place").isNull()).isTrue();
    assertThat(root.path("results").get(0).path("out_of_place").path("nwrong").asLong(-1)).isZero();
    assertThat(run.rows().getFirst())
        .startsWith("          64            32      half    none      -1  ")
        .endsWith("       0      N/A     N/A     N/A     N/A");
  }
}
