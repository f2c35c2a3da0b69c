// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The traces of a job's processes become one. */
class TraceTest {
  @TempDir Path directory;

  @Test
  @Slow
  void theRanksOfAJobStandInOneTrace() throws Exception {
    Map<String, String> variables =
        Map.of(
            "NITINOL_PLUGIN_PATH", System.getProperty("nitinol.unasked.path"),
            "NCCL_PROFILER_PLUGIN", "JSON",
            "NITINOL_PROFILER_JSON_FILE", directory.resolve("rank").toString());
    String perf = "perf all_reduce -n 2 -b 1M -e 1M -w 1 --iters 5";
    try (CommandProcess process = CommandProcess.start(variables, perf.split(" "))) {
      assertThat(process.exit()).as("%s", process).isZero();
    }
    List<String> words = new ArrayList<>(List.of("trace"));
    try (Stream<Path> files = Files.list(directory)) {
      files.map(Path::toString).forEach(words::add);
    }
    assertThat(words).hasSize(3);
    Path merged = directory.resolve("job.json");
    words.addAll(List.of("--output", merged.toString()));
    try (CommandProcess process = CommandProcess.start(words.toArray(String[]::new))) {
      assertThat(process.exit()).as("%s", process).isZero();
      assertThat(process.out())
          .containsPattern("Communicator [0-9a-f]+: 2 of 2 ranks, [0-9]+ events")
          .doesNotContain("Clock of"); // processes of one host have the same
    }
    List<Map<Long, JsonNode>> sums = List.of(new HashMap<>(), new HashMap<>());
    for (JsonNode event : JsonMapper.builder().build().readTree(merged).get("traceEvents")) {
      if (event.path("cat").asString("").equals("COLL")
          && event.get("name").asString().equals("all_reduce")) {
        sums.get(event.get("pid").asInt()).put(event.at("/args/sequence").asLong(), event);
      }
    }
    assertThat(sums.get(0)).hasSizeGreaterThanOrEqualTo(6).hasSameSizeAs(sums.get(1));
    sums.get(0)
        .forEach((sequence, one) -> {
          JsonNode other = sums.get(1).get(sequence);
          assertThat(other).as("all-reduce %d of rank 1", sequence).isNotNull();
          double begin = Math.max(one.get("ts").asDouble(), other.get("ts").asDouble());
          assertThat(end(one)).isGreaterThanOrEqualTo(begin);
          assertThat(end(other)).isGreaterThanOrEqualTo(begin);
        });
  }

  private static double end(JsonNode event) {
    return event.get("ts").asDouble() + event.get("dur").asDouble();
  }
}
