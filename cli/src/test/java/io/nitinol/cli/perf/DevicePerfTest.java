// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.spi.DataType;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perf --device} with ranks that are threads, on the CPU twin. */
class DevicePerfTest {
  private static final PerfDevicePlan PLAIN = new PerfDevicePlan("cpu", 1, 0, false);
  private static final PerfDevicePlan GRAPH = new PerfDevicePlan("cpu", 1, 3, false);
  private static final PerfDevicePlan WINDOWS = new PerfDevicePlan("cpu", 1, 0, true);
  private static final List<PerfOperator> SUM = List.of(PerfOperator.SUM);

  static Stream<String> labels() {
    return PerfCollectives.all().stream()
        .filter(PerfCollective::hasSizes)
        .map(PerfCollective::label);
  }

  @ParameterizedTest
  @MethodSource("labels")
  void nothingIsWrong(String label) throws Exception {
    List<DataType> types = List.of(DataType.INT8, DataType.FLOAT32, DataType.BFLOAT16);
    List<PerfOperator> ops = List.of(PerfOperator.SUM, PerfOperator.AVG, PerfOperator.MULSUM);
    PerfPlan plan = Plans.of(label, 8, 65_536, types, ops, 1);
    DeviceRun run = DeviceRun.of(Plans.on(PLAIN, sparse(plan)), 3);
    assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.OK);
    assertThat(run.rows()).isNotEmpty().allMatch(row -> row.matches(".* 0 .* (0|N/A)"));
    assertThat(run.err()).isEmpty();
  }

  /** Several operations of an iteration, as a group, and buffers that are off their alignment. */
  @ParameterizedTest
  @CsvSource({"all_reduce", "alltoallv", "sendrecv"})
  void nothingIsWrongTogetherAndUnaligned(String label) throws Exception {
    PerfPlan plan = Plans.of(label, 4096, 8192, List.of(DataType.FLOAT16), SUM, 2);
    PerfPlan changed = Plans.with(plan, Plans.timing(3, PerfPlan.Blocking.OWN), 1);
    DeviceRun run = DeviceRun.of(Plans.on(PLAIN, changed), 2);
    assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.OK);
  }

  @ParameterizedTest
  @CsvSource({"all_reduce", "all_gather", "alltoall", "sendrecv"})
  void nothingIsWrongInGraphs(String label) throws Exception {
    PerfPlan plan = Plans.of(label, 64, 65_536, List.of(DataType.FLOAT32), SUM, 1);
    DeviceRun run = DeviceRun.of(Plans.on(GRAPH, sparse(plan)), 2);
    assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.OK);
    assertThat(run.out()).contains(" graph: 3");
  }

  @ParameterizedTest
  @CsvSource({"all_reduce", "all_gather", "reduce_scatter", "broadcast", "alltoall"})
  void nothingIsWrongInWindows(String label) throws Exception {
    PerfPlan plan = Plans.of(label, 64, 262_144, List.of(DataType.FLOAT32), SUM, 1);
    DeviceRun run = DeviceRun.of(Plans.on(WINDOWS, sparse(plan)), 3);
    assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.OK);
  }

  /** The check sees what is in the memory of the device, and not what the host has made there. */
  @ParameterizedTest
  @EnumSource(
      value = BrokenDevice.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"NONE", "RANK_1_FAILS"})
  void seesWhatIsWrong(BrokenDevice mistake) throws Exception {
    for (PerfDevicePlan device : List.of(PLAIN, GRAPH)) {
      PerfPlan plan = Plans.of("all_reduce", 4096, 4096, List.of(DataType.FLOAT32), SUM, 1);
      DeviceRun run = DeviceRun.of(Plans.on(device, plan), 2, mistake, null);
      assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.WRONG_RESULT);
      assertThat(run.err()).contains("all_reduce of 1024 float sum: ");
      assertThat(run.out()).contains("FAILED");
    }
  }

  @Test
  void countsOneWrongElementAsOne() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 4096, 4096, List.of(DataType.FLOAT64), SUM, 1);
    DeviceRun run = DeviceRun.of(Plans.on(PLAIN, plan), 2, BrokenDevice.LAST_ELEMENT_LEFT, null);
    assertThat(run.rows().getFirst()).as("one on each rank").containsPattern(" 2 .* 2$");
  }

  /** The others wait on their devices by then. */
  @ParameterizedTest
  @CsvSource({"0, false", "2, false", "0, true"})
  void aRankThatFailsIsNamedAndTheOthersEnd(int launches, boolean windows) {
    PerfPlan plan = Plans.of("all_reduce", 64, 4096, List.of(DataType.FLOAT32), SUM, 1);
    PerfDevicePlan device = new PerfDevicePlan("cpu", 1, launches, windows);
    assertThatThrownBy(
            () -> DeviceRun.of(Plans.on(device, plan), 3, BrokenDevice.RANK_1_FAILS, null))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(BrokenDevice.FAILURE);
  }

  @Test
  void showsTheDevices() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 64, 64, List.of(DataType.FLOAT32), SUM, 1);
    DeviceRun run = DeviceRun.of(Plans.on(PLAIN, plan), 2);
    assertThat(run.out())
        .contains("# Using network Socket ")
        .containsPattern("# Using device cpu \\(links: .* to 3 other devices\\): ")
        .containsPattern("#  Rank  0 Group  0 Pid .* device  0 \\[.*\\] ")
        .containsPattern("#  Rank  1 Group  0 Pid .* device  1 \\[.*\\] ")
        .doesNotContain("Note");
  }

  @Test
  void ranksBeyondTheDevicesBeginAgain() throws Exception {
    PerfPlan plan = Plans.of("all_reduce", 64, 4096, List.of(DataType.FLOAT32), SUM, 1);
    DeviceRun run = DeviceRun.of(Plans.on(PLAIN, sparse(plan)), 5);
    assertThat(run.status()).as("%s", run).isEqualTo(ExitStatus.OK);
    assertThat(run.out())
        .containsPattern("#  Rank  4 Group  0 Pid .* device  0 \\[")
        .contains("# Note: 5 ranks share 4 devices");
  }

  @Test
  void writesWhatProgramsCanRead(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("result.json");
    PerfPlan plan = Plans.of("all_reduce", 64, 128, List.of(DataType.FLOAT32), SUM, 1);
    DeviceRun.of(Plans.on(new PerfDevicePlan("cpu", 1, 2, true), plan), 2, BrokenDevice.NONE, file);
    JsonNode root = JsonMapper.builder().build().readTree(file);
    JsonNode config = root.path("config");
    assertThat(config.path("device").asString()).isEqualTo("cpu");
    assertThat(config.path("device_reach").asString()).startsWith("cpu (links: ");
    assertThat(config.path("graph_launches").asInt()).isEqualTo(2);
    assertThat(config.path("registered_buffers").asBoolean()).isTrue();
    JsonNode second = config.path("devices").path(1);
    assertThat(second.path("device").asInt()).isEqualTo(1);
    assertThat(second.path("provider").asString()).isEqualTo("cpu");
    assertThat(second.path("uuid").asString()).isNotEmpty();
    assertThat(second.path("memory_bytes").asLong()).isPositive();
    assertThat(second.path("uuid").asString())
        .isNotEqualTo(config.path("devices").path(0).path("uuid").asString());
    for (String place : List.of("out_of_place", "in_place")) {
      JsonNode measured = root.path("results").path(1).path(place);
      assertThat(measured.path("time").asDouble()).isPositive();
      assertThat(measured.path("nwrong").asLong(-1)).isZero();
    }
  }

  @Test
  void saysWhichDevicesThereAre() {
    PerfPlan plan = Plans.of("all_reduce", 64, 64, List.of(DataType.FLOAT32), SUM, 1);
    PerfDevicePlan unknown = new PerfDevicePlan("abacus", 1, 0, false);
    assertThatThrownBy(() -> DeviceRun.of(Plans.on(unknown, plan), 2))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.status()).isEqualTo(ExitStatus.USAGE))
        .hasMessageStartingWith("--device abacus ")
        .hasMessageContaining("cpu");
  }

  @Test
  void saysThatABufferIsTooLarge() {
    PerfPlan plan = Plans.of("all_reduce", 1L << 40, 1L << 40, List.of(DataType.FLOAT32), SUM, 0);
    assertThatThrownBy(() -> DeviceRun.of(Plans.on(PLAIN, plan), 2))
        .isInstanceOfSatisfying(
            CommandFailure.class,
            failure -> assertThat(failure.status()).isEqualTo(ExitStatus.USAGE))
        .hasMessageMatching(
            "(?s)rank \\d cannot allocate a buffer of 10995\\d+ bytes on device .*");
  }

  /** Sizes that are far apart. */
  private static PerfPlan sparse(PerfPlan plan) {
    SizeRange range = new SizeRange(plan.range().min(), plan.range().max(), 32, 0);
    return new PerfPlan(
        Objects.requireNonNull(plan.collective()),
        range,
        plan.types(),
        plan.ops(),
        plan.root(),
        plan.timing(),
        plan.checks(),
        plan.unalign(),
        plan.reporting(),
        plan.threads(),
        plan.device(),
        plan.mode());
  }
}
