// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.launch.OwnCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimCommandTest {
  private static final String WORKLOAD =
      """
      group tp0 0-3
      group dp0 0,4,8,12
      compute forward all 50us
      all_reduce sums tp0 256K after forward
      all_reduce grads dp0 1M after sums forward
      """;

  @TempDir private Path directory;

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    SimCommand sim = new SimCommand();
    CommandLine command =
        new CommandLine(sim).setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    command.parseArgs(arguments);
    assertThat(sim.call()).isZero();
    return out.toString();
  }

  @Test
  void writesWhatMovesInEachFormat() throws Exception {
    run(
        "all_reduce:256K,alltoall:64K",
        "--hosts",
        "2",
        "--gpus",
        "4",
        "--transfers",
        file("list.jsonl"),
        "--trace",
        file("trace.json"),
        "--html",
        file("page.html"),
        "--json",
        file("sum.json"));
    run(
        "all_reduce:256K,alltoall:64K",
        "--hosts",
        "2",
        "--gpus",
        "4",
        "--transfers",
        file("list.csv"));
    JsonMapper mapper = JsonMapper.builder().build();
    List<String> lines = Files.readAllLines(directory.resolve("list.jsonl"));
    List<String> rows = Files.readAllLines(directory.resolve("list.csv"));
    assertThat(rows).hasSize(lines.size() + 1);
    double before = 0;
    for (int i = 0; i < lines.size(); i++) {
      JsonNode line = mapper.readTree(lines.get(i));
      String[] row = rows.get(i + 1).split(",", -1);
      assertThat(line.path("time_us").asDouble()).isGreaterThanOrEqualTo(before);
      before = line.path("time_us").asDouble();
      assertThat(row[9]).isEqualTo(line.path("source").asString());
      assertThat(row[12]).isEqualTo(line.path("route").asString());
    }
    assertThat(lines.toString()).contains("\"route\":\"h0/nic0>leaf0.0>h1/nic0\"");
    JsonNode summary = mapper.readTree(Files.readString(directory.resolve("sum.json")));
    assertThat(summary.path("simulated_transfers").asInt()).isEqualTo(lines.size());
    assertThat(summary.path("nodes").size()).isEqualTo(2);
    assertThat(summary.path("time_us").asDouble()).isGreaterThanOrEqualTo(before);
    JsonNode trace = mapper.readTree(Files.readString(directory.resolve("trace.json")));
    assertThat(trace.path("traceEvents").size()).isEqualTo(16);
    String page = Files.readString(directory.resolve("page.html"));
    assertThat(page)
        .contains("h0/nic0 out", "<svg", "</html>")
        .doesNotContain("<script", "src=", "<link");
  }

  @Test
  void theSameInputGivesTheSameBytes() throws Exception {
    Files.writeString(directory.resolve("work"), WORKLOAD);
    for (String name : List.of("one", "two")) {
      run(
          "--workload",
          file("work"),
          "--hosts",
          "4",
          "--gpus",
          "4",
          "--transfers",
          file(name),
          "--json",
          file(name + ".json"));
    }
    assertThat(directory.resolve("one")).hasSameBinaryContentAs(directory.resolve("two"));
    assertThat(directory.resolve("one.json")).hasSameBinaryContentAs(directory.resolve("two.json"));
    assertThat(Files.size(directory.resolve("one"))).isPositive();
  }

  /** What two processes list for half of the ranks each is the whole list. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void processesShareTheListByRanks(boolean times) throws Exception {
    List<Process> processes = new ArrayList<>();
    for (String range : List.of("0-5", "6-15", "0-15")) {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "sim",
                  "all_reduce:1M,broadcast:64K:3",
                  "--hosts",
                  "4",
                  "--gpus",
                  "4",
                  "--rank-range",
                  range,
                  "--transfers",
                  file(range)));
      if (!times) {
        arguments.add("--no-times");
      }
      processes.add(
          new ProcessBuilder(OwnCommand.with(arguments))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve(range + ".out").toFile())
              .start());
    }
    for (Process each : processes) {
      assertThat(each.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(each.exitValue()).isZero();
    }
    List<String> parts = new ArrayList<>(Files.readAllLines(directory.resolve("0-5")));
    parts.addAll(Files.readAllLines(directory.resolve("6-15")));
    List<String> whole = Files.readAllLines(directory.resolve("0-15"));
    assertThat(whole).isNotEmpty();
    assertThat(parts).containsExactlyInAnyOrderElementsOf(whole);
    assertThat(Files.readAllLines(directory.resolve("0-5")))
        .isEqualTo(whole.stream().filter(line -> rank(line) <= 5).toList());
  }

  private static int rank(String line) {
    return Integer.parseInt(line.replaceAll(".*\"rank\":(\\d+),.*", "$1"));
  }

  @Test
  void aClusterOfTopologyFilesHasTheirDevices() throws Exception {
    Files.writeString(
        directory.resolve("m.xml"),
        """
        <system version="1">
          <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1"/>
            </pci>
            <pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic><net name="a" dev="0" speed="100000" port="1" guid="0x1" gdr="1"/></nic>
            </pci>
          </cpu>
        </system>
        """);
    run(
        "all_reduce:64M",
        "--host",
        "2:" + file("m.xml"),
        "--algo",
        "ring",
        "--json",
        file("sum.json"));
    JsonNode link =
        JsonMapper.builder()
            .build()
            .readTree(Files.readString(directory.resolve("sum.json")))
            .path("busiest_links")
            .get(0);
    assertThat(link.path("bytes_per_us").asDouble()).isEqualTo(12_500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all_reduce | 'all_reduce': expected OP:BYTES",
        "allreduce:4 | expected OP:BYTES or OP:BYTES:ROOT with one of broadcast, reduce",
        "all_reduce:5 | all_reduce of 5 bytes; expected a multiple of 4",
        "broadcast:4:99 | root 99; expected 0 to 15",
        "--hosts=2 | there is nothing to simulate",
        "all_reduce:4 --workload=x | there is more than one workload",
        "--workload=/no/such/file | /no/such/file cannot be read: there is no directory /no",
        "all_reduce:4 --hosts=0 | --hosts=0: expected 1 to 1048576",
        "all_reduce:4 --nic-gbits=-1 | --nic-gbits=-1.0: expected more than 0",
        "all_reduce:4 --host=x.xml | --host=x.xml: expected N:XML",
        "all_reduce:4 -n 17 | -n 17: expected 1 to 16",
        "all_reduce:4 --rank-range=3-99 | --rank-range 3-99: expected A-B",
        "all_reduce:4 --json=/no/such/x | --json /no/such/x cannot be written: there is no"
            + " directory",
        "all_reduce:4 --no-times | expected --transfers FILE",
        "all_reduce:1G --most-transfers=100 --algo=doubling | messages would be simulated, more"
            + " than 100"
      })
  void saysWhatIsWrong(String line, String message) {
    assertThatThrownBy(() -> run(line.strip().split(" ")))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(message);
  }
}
