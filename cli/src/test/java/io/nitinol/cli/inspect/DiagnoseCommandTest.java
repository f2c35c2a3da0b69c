// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What {@code nitinol diagnose} does with files that were made by hand. */
class DiagnoseCommandTest {
  private static final String WHOLE = "\"count\":16,\"type\":\"float\",";

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();

  /** Writes a file of one of two ranks that has done one operation. */
  private Path file(int rank, String communicator, String more) throws IOException {
    return Files.writeString(
        directory.resolve("flight-" + rank),
        """
        {"format":"nitinol-flight-recorder","version":1,"communicator":"%s","rank":%d,"size":2,
        "failure":null,"written_us":100,"collectives":1,"collectives_done":1,"waits":[],
        "operations":[{"collective":"all_reduce","call":"c","number":1,"state":"done",%s
        "submitted_us":1,"begun_us":2,"ended_us":3}]}\
        """
            .formatted(communicator, rank, more));
  }

  private DiagnoseCommand command(Object... words) {
    DiagnoseCommand command = new DiagnoseCommand();
    new CommandLine(command)
        .setOut(new PrintWriter(out))
        .parseArgs(Stream.of(words).map(Object::toString).toArray(String[]::new));
    return command;
  }

  private static List<String> written(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(Files::isRegularFile)
          .map(each -> below.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void aFileThatPyTorchCannotHaveIsNamedAfterTheDiagnosis() throws Exception {
    Path poor = file(0, "ab", "\"type\":\"float\",");
    Path good = file(1, "ab", WHOLE);
    Path traces = directory.resolve("traces");
    DiagnoseCommand command = command("--pytorch", traces, poor, good);
    assertThatThrownBy(command::call)
        .isInstanceOfSatisfying(
            CommandFailure.class, e -> assertThat(e.status()).isEqualTo(ExitStatus.USAGE))
        .hasMessage(
            "--pytorch: %s: \"count\" is missing; expected a whole number of 0 to %d",
            poor, Long.MAX_VALUE);
    assertThat(out.toString()).contains("Communicator ab of 2 ranks").doesNotContain("fr_trace");
    assertThat(written(traces)).containsExactly("ab/nccl_trace_rank_1");
  }

  @Test
  void allFilesThatAreWholeAreWritten() throws Exception {
    Path traces = directory.resolve("traces");
    assertThat(command("--pytorch", traces, file(0, "ab", WHOLE), file(1, "ab", WHOLE)).call())
        .isEqualTo(ExitStatus.OK);
    assertThat(out.toString()).contains("Communicator ab of 2 ranks", "fr_trace " + traces);
    assertThat(written(traces)).containsExactly("ab/nccl_trace_rank_0", "ab/nccl_trace_rank_1");
  }

  /** What is written is what was read and looked at, whatever the file has become since. */
  @Test
  void aFileIsReadOnce() throws Exception {
    Path file = file(0, "ab", WHOLE);
    FlightLog log = FlightLog.read(file);
    JsonNode root = FlightLog.document(file);
    Path _ = file(0, "../../x", WHOLE);
    Path traces = directory.resolve("a/b/traces");
    assertThat(PyTorchTrace.write(log, root, traces))
        .isEqualTo(traces.resolve("ab/nccl_trace_rank_0"));
    assertThat(written(directory)).containsExactly("a/b/traces/ab/nccl_trace_rank_0", "flight-0");
    assertThatThrownBy(() -> FlightLog.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("communicator");
  }
}
