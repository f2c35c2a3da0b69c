// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDocumentTest {
  private static PerfRun parse(String json) throws IOException {
    return RunDocument.parse(json.getBytes(UTF_8));
  }

  @Test
  void readsOurs() throws Exception {
    PerfRun run = parse(RunSamples.OURS);
    assertThat(run.program()).isEqualTo("all_reduce_perf");
    assertThat(run.name()).isEqualTo("all_reduce");
    assertThat(run.points()).hasSize(3);
    PointKey key = new PointKey(1024, "float", "sum", "-1", false);
    assertThat(run.points())
        .containsEntry(key, new PerfPoint(key, 40.25, 0.02544, 0.02544, 3, false));
    assertThat(run.points().get(key).doubts()).containsExactly("3 wrong elements", "not steady");
    assertThat(run.facts())
        .containsEntry("Ranks", "2")
        .containsEntry("Hosts", "node1, node2")
        .containsEntry("Devices", "scalar")
        .containsEntry("Network", "Socket (v12): lo")
        .containsEntry("Processors of the first host", "2")
        .containsEntry("Platform", "Java 25 (X), Linux 6 amd64");
  }

  @Test
  void spreadOfTimesIsReadAndOnThePage() throws Exception {
    String json =
        """
        {"versions":{"nitinol":"1"},
         "results":[{"size":8,"type":"float","out_of_place":
           {"time":20,"alg_bw":1,"bus_bw":1,
            "percentiles":{"min":11,"p50":19,"p90":25,"p99":44,"p99.9":45.5,"max":123}}},
          {"size":16,"type":"float","out_of_place":{"time":20,"alg_bw":1,"bus_bw":1}}]}
        """;
    PerfRun run = parse(json);
    assertThat(run.points().firstEntry().getValue().spread())
        .containsExactly(11.0, 19.0, 25.0, 44.0, 45.5, 123.0);
    assertThat(run.points().lastEntry().getValue().spread()).isEmpty();
    assertThat(RunPage.text(List.of(run)))
        .contains("id=\"spread\"", "<th scope=\"col\">p99.9</th>", "<td>44.00</td><td>45.50</td>");
    assertThat(RunPage.text(List.of(parse(RunSamples.OURS)))).doesNotContain("id=\"spread\"");
    assertThatThrownBy(() -> parse(json.replace("\"p99\":44", "\"p99\":\"x\"")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\"p99\" is");
  }

  /** Without the variables that launchers set, and without what is secret. */
  @Test
  void knowsTheCommandAndItsVariables() throws Exception {
    PerfRun run = parse(RunSamples.OURS);
    assertThat(run.command())
        .isEqualTo("NCCL_BUFFSIZE=1M nitinol perf all_reduce -n 2 --json 'it'\\''s.json'");
    assertThat(run.variables())
        .isEqualTo(Map.of("NCCL_BUFFSIZE", "1M", "NITINOL_COMM_SECRET", "(hidden)"));
  }

  /** With {@code -C} the table and the CSV have the times until operations were started. */
  @Test
  void readsTheTimesThatTheTableHas() throws Exception {
    String json =
        """
        {"versions":{"nitinol":"1"},"start_time":"2026-01-02T03:04:05Z",
         "end_time":"2026-01-02 03:04:06","config":{"report_cputime":CPU},
         "results":[{"size":8,"type":"float","in_place":
           {"time":20,"cpu_time":3,"alg_bw":1,"bus_bw":1}}]}
        """;
    PerfRun starts = parse(json.replace("CPU", "true"));
    PerfRun ends = parse(json.replace("CPU", "false"));
    assertThat(starts.points().values()).extracting(PerfPoint::micros).containsExactly(3.0);
    assertThat(ends.points().values()).extracting(PerfPoint::micros).containsExactly(20.0);
    assertThat(ComparisonTable.lines(List.of(starts)).getFirst())
        .endsWith(", times until an operation was started (-C)");
    assertThat(starts.facts())
        .containsEntry("Times", "until an operation was started (-C)")
        .containsEntry("Begun (UTC)", "2026-01-02T03:04:05Z")
        .containsEntry("Ended (in the zone of the file)", "2026-01-02 03:04:06");
    assertThat(ends.cpuTime()).isFalse();
    assertThat(ends.facts()).doesNotContainKey("Times");
  }

  /** Its file has every variable of the process, tokens of other programs too. */
  @Test
  void readsThatOfNcclTestsAndShowsNoSecret() throws Exception {
    PerfRun run = parse(RunSamples.NCCL_JSON);
    assertThat(run.program()).isEqualTo("all_reduce_perf");
    assertThat(run.command()).isEqualTo("NCCL_DEBUG=WARN ./build/all_reduce_perf_mpi -b 8");
    assertThat(run.variables().keySet()).containsExactly("NCCL_DEBUG", "NITINOL_COMM_SECRET");
    assertThat(run.facts()).containsEntry("NCCL", "22807").containsEntry("Hosts", "n1");
    PointKey key = new PointKey(8, "float", "sum", "-1", false);
    assertThat(run.points()).hasSize(2).containsKey(key);
    assertThat(run.points().get(key).micros()).isEqualTo(10);
    assertThat(RunPage.text(List.of(run))).doesNotContain("topsecret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `{}` | it has no "results"; expected a file of nitinol perf --json or of nccl-tests' -J
          `{"results": []}` | it has no "results"; expected a file of nitinol perf --json or of nccl-tests' -J
          `{"results": [{"size": 1.5, "in_place": {}}]}` | results[0]: "size" is 1.5; expected a whole number from 0
          `{"results": [{"size": -8, "in_place": {}}]}` | results[0]: "size" is -8; expected a whole number from 0
          `{"results": [{"in_place": {}}]}` | results[0]: "size" is missing; expected a whole number from 0
          `{"results": [{}, {"size": 8, "out_of_place": {"time": "1"}}]}` | results[1]: "time" is "1"; expected 0, or a number from 1e-30 to 1e30
          `{"results": [{"size": 8, "out_of_place": {"time": 1, "alg_bw": 1}}]}` | results[0]: "bus_bw" is missing; expected 0, or a number from 1e-30 to 1e30
          `{"results": [{"size": 8, "out_of_place": {"time": 1, "alg_bw": 1, "bus_bw": -1}}]}` | results[0]: "bus_bw" is -1; expected 0, or a number from 1e-30 to 1e30
          """)
  void namesTheValueThatIsWrong(String json, String message) {
    assertThatThrownBy(() -> parse(json)).isInstanceOf(IOException.class).hasMessage(message);
  }

  @Test
  void aStrangersRowsAreCounted() {
    String json = "{\"results\": [" + "{},".repeat(PerfRun.MOST_ROWS) + "{}]}";
    assertThatThrownBy(() -> parse(json))
        .isInstanceOf(IOException.class)
        .hasMessage("\"results\" has 100001 rows; expected at most 100000");
  }

  /** Each row has four tokens, the beginning three and the end four. */
  @Test
  void aDocumentOfManyTokensIsRefusedBeforeItTakesMemory() {
    String rows = "{\"a\":0},".repeat((RunDocument.MOST_TOKENS - 7) / 4 - 1);
    String most = "{\"b\":[" + rows + "{\"a\":0}],\"c\":0";
    assertThatThrownBy(() -> parse(most + "}"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("it has no \"results\"");
    assertThatThrownBy(() -> parse(most + ",\"d\":0}"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "it has more than 1000000 names, values and brackets; expected at most 1000000,"
                + " some 20000 rows");
  }

  @Test
  void aFileThatEndsEarlyIsNoDocument() {
    assertThatThrownBy(() -> parse(RunSamples.OURS.substring(0, 300)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("it is no whole JSON document: ");
  }
}
