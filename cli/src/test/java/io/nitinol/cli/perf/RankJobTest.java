// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.ExitStatus;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The measurement over an all-reduce that can be broken: what is wrong must be seen. */
class RankJobTest {
  private static final FakeSessions.Fault NONE = (_, _, _, _) -> {};

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void findsNothingWrongInWhatIsRight(int ranks) throws Exception {
    PerfPlan plan = plan(4, 4096, List.of(DataType.values()), List.of(ReductionOp.values()), 2);
    assertThat(run(plan, null, new FakeSessions(ranks, false, NONE)))
        .hasSize(ranks)
        .containsOnly(ExitStatus.OK);
    assertThat(out.toString()).contains("# Out of bounds values : 0 OK");
    assertThat(rows()).hasSize(12 * 5 * 11);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void seesAnOperationThatDoesNothing() throws Exception {
    PerfPlan plan = plan(4096, 4096, List.of(DataType.FLOAT32), List.of(ReductionOp.SUM), 1);
    assertThat(run(plan, null, new FakeSessions(2, true, NONE)))
        .containsOnly(ExitStatus.WRONG_RESULT);
    // 1024 elements on 2 ranks; in place each rank keeps its own contribution.
    assertThat(rows().getFirst()).containsPattern(" 2048 .* 20\\d\\d$");
    assertThat(out.toString()).contains("FAILED");
  }

  @Test
  void seesOneWrongByteOnOneRank() throws Exception {
    FakeSessions.Fault flip =
        (rank, _, recv, bytes) -> {
          if (rank == 1) {
            byte old = recv.get(ValueLayout.JAVA_BYTE, bytes - 1);
            recv.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) (old ^ 1));
          }
        };
    PerfPlan plan = plan(64, 64, List.of(DataType.INT32), List.of(ReductionOp.SUM), 1);
    assertThat(run(plan, null, new FakeSessions(3, false, flip)))
        .as("all ranks know")
        .containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(rows().getFirst()).containsPattern(" 1  .* 1$");
    assertThat(err.toString())
        .contains(
            "rank 1: all_reduce of 16 int32 sum: 1 elements are wrong, the first at index 15");
  }

  @Test
  void seesWhatIsWrittenBehindTheResult() throws Exception {
    FakeSessions.Fault overrun =
        (rank, _, recv, bytes) -> {
          if (rank == 0) {
            recv.set(ValueLayout.JAVA_BYTE, bytes + 3, (byte) 1);
          }
        };
    PerfPlan plan = plan(64, 64, List.of(DataType.INT8), List.of(ReductionOp.MAX), 1);
    assertThat(run(plan, null, new FakeSessions(2, false, overrun)))
        .containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(err.toString()).contains("1 bytes behind the result were written");
  }

  @Test
  void seesThatTheSendBufferWasWritten() throws Exception {
    FakeSessions.Fault scribble =
        (rank, send, recv, _) -> {
          if (rank == 0 && !send.equals(recv)) {
            byte old = send.get(ValueLayout.JAVA_BYTE, 0);
            send.set(ValueLayout.JAVA_BYTE, 0, (byte) (old + 1));
          }
        };
    PerfPlan plan = plan(64, 64, List.of(DataType.INT64), List.of(ReductionOp.MIN), 1);
    assertThat(run(plan, null, new FakeSessions(2, false, scribble)))
        .containsOnly(ExitStatus.WRONG_RESULT);
    assertThat(err.toString()).contains("the send buffer was written");
    assertThat(rows().getFirst()).containsPattern(" 1  .* 0$");
  }

  @Test
  void looksAtNothingWithoutChecks() throws Exception {
    PerfPlan plan = plan(64, 64, List.of(DataType.INT8), List.of(ReductionOp.MAX), 0);
    assertThat(run(plan, null, new FakeSessions(2, true, NONE))).containsOnly(ExitStatus.OK);
    assertThat(rows().getFirst()).containsPattern(" N/A .* N/A$");
  }

  @Test
  void writesWhatProgramsCanRead(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("result.json");
    PerfPlan plan = plan(4, 8, List.of(DataType.FLOAT16), List.of(ReductionOp.AVG), 1);
    run(plan, file, new FakeSessions(2, false, NONE));
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
    for (String place : List.of("out_of_place", "in_place")) {
      assertThat(result.path(place).path("time").asDouble()).isPositive();
      assertThat(result.path(place).path("nwrong").asLong(-1)).isZero();
    }
    assertThat(root.path("out_of_bounds").path("okay").asBoolean()).isTrue();
  }

  private List<String> rows() {
    return out.toString().lines().filter(line -> !line.startsWith("#")).toList();
  }

  private List<Integer> run(PerfPlan plan, Path json, FakeSessions sessions) throws Exception {
    PerfReport report =
        new PerfReport(plan, new PrintWriter(out), json, List.of("the", "arguments"));
    PrintWriter complaints = new PrintWriter(err);
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<Integer>> ranks = new ArrayList<>();
      for (Session session : sessions.all()) {
        ranks.add(threads.submit(() -> new RankJob(plan, report, complaints).run(session)));
      }
      for (Future<Integer> rank : ranks) {
        statuses.add(rank.get());
      }
    }
    return statuses;
  }

  private static PerfPlan plan(
      long min, long max, List<DataType> types, List<ReductionOp> ops, int checks) {
    return new PerfPlan(
        Collective.ALL_REDUCE,
        new SizeRange(min, max, 2, 0),
        types,
        ops,
        1,
        2,
        checks,
        false,
        true);
  }
}
