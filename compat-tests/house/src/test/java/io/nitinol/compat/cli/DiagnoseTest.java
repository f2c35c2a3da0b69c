// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.compat.comm.RankProcesses;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stuck jobs of real processes are diagnosed, by their ranks' files, to rank, call and link. */
class DiagnoseTest {
  private static final long POLL_MILLIS = 100;

  @TempDir private Path directory;

  private RankProcesses start(String deed, String timeout) throws IOException {
    Map<String, String> variables =
        Map.of(
            "NCCL_SHM_DISABLE",
            "1",
            "NITINOL_TIMEOUT",
            timeout,
            "NITINOL_FLIGHT_RECORDER_FILE",
            directory.resolve("flight-%r.json").toString(),
            "NITINOL_FLIGHT_RECORDER_TRIGGER",
            directory.resolve("write").toString());
    return RankProcesses.of(DiagnosedRank.class, 2, rank -> variables, deed);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.filter(path -> path.getFileName().toString().startsWith("flight-")).toList();
    }
  }

  private static String diagnose(List<Path> files, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("diagnose"));
    words.addAll(List.of(options));
    files.forEach(file -> words.add(file.toString()));
    try (CommandProcess command = CommandProcess.start(words.toArray(String[]::new))) {
      assertThat(command.exit()).as("%s", command).isZero();
      return command.out();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"absent", "sends"}) // sends: also where none of its collectives is kept
  @QuickRows(2)
  @Slow
  void aRankThatNeverCallsIsBehind(String deed) throws Exception {
    try (RankProcesses ranks = start(deed, "0")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.tell(0);
      if (deed.equals("sends")) {
        ranks.tell(1);
      }
      String said = "";
      for (int touch = 0; !said.contains("is behind"); touch++) {
        Files.writeString(directory.resolve("write"), "touched " + touch);
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS); // between two looks, as the ranks have theirs
        said = files().size() == 2 ? diagnose(files()) : "";
      }
      TopSentences.requireBehind(said);
      assertThat(said).doesNotContain("missing");
      String json = diagnose(files(), "--json");
      assertThat(json)
          .contains(
              "\"rank\" : 1", "\"called\" : 1", "\"for_rank\" : 1", "\"disagreement\" : null");
      assertThat(SchemaCheck.mistakes("diagnose", json)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({TopSentences.OTHER_COUNT, TopSentences.OTHER_COLLECTIVE})
  @QuickRows(2)
  void aRankThatCallsSomethingElseIsNamedWithBothCalls(String deed, String call) throws Exception {
    try (RankProcesses ranks = start(deed, "30")) {
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "ready");
        ranks.tell(rank);
      }
      ranks.await(0, "end");
      ranks.await(1, "end");
      assertThat(diagnose(files()))
          .contains("The ranks disagree in collective 2: ")
          .contains("rank 0 called all_reduce of 16 float sum")
          .contains("rank 1 called " + call)
          .doesNotContain("missing", "behind");
    }
  }

  /** What PyTorch's analyzer looks up in each file, told of the file of one rank. */
  private static final String READ_BY_PYTHON =
      """
      import ast, pickle, sys
      with open(sys.argv[1], "rb") as file:
          dump = pickle.load(file)
      major, minor = dump["version"].split(".")
      assert (int(major), int(minor)) >= (2, 0), dump["version"]
      (name, group), = dump["pg_config"].items()
      assert group["name"] == name and isinstance(group["desc"], str), group
      assert ast.literal_eval(group["ranks"]) == [0, 1], group
      status = dump["pg_status"][name]
      for key in ("enqueued", "started", "completed"):
          assert isinstance(status["last_" + key + "_collective"], int), status
      for entry in dump["entries"]:
          assert tuple(entry["process_group"]) == (name, group["desc"]), entry
          for key in ("record_id", "pg_id", "collective_seq_id", "p2p_seq_id", "op_id", "time_created_ns", "timeout_ms"):
              assert type(entry[key]) is int, (key, entry)
          for key in ("retired", "is_p2p"):
              assert type(entry[key]) is bool, (key, entry)
          for key in ("input_sizes", "output_sizes"):
              assert all(type(size) is int for tensor in entry[key] for size in tensor), entry
          for key in ("input_dtypes", "output_dtypes", "frames"):
              assert isinstance(entry[key], list), entry
          started, ended = entry["time_discovered_started_ns"], entry["time_discovered_completed_ns"]
          assert (ended is not None) == (entry["state"] == "completed"), entry
          if ended is not None:
              assert 10**18 < entry["time_created_ns"] <= started <= ended < 10**19, entry
          print(entry["collective_seq_id"], entry["profiling_name"], entry["input_sizes"],
                entry["output_sizes"], entry["input_dtypes"], entry["state"], entry["retired"])
      """;

  private static String python(Path file) throws Exception {
    Process process;
    try {
      process =
          new ProcessBuilder("python3", "-c", READ_BY_PYTHON, file.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      System.err.println("DiagnoseTest: nothing here reads a pickle: " + e.getMessage());
      return abort(e.getMessage());
    }
    try (BufferedReader said = process.inputReader()) {
      String all = said.lines().collect(Collectors.joining("\n"));
      assertThat(process.waitFor()).as(all).isZero();
      return all;
    }
  }

  @Test
  @Slow
  void theFilesForPyTorchAreOfItsFormat() throws Exception {
    try (RankProcesses ranks = start("collective", "30")) {
      for (int rank = 0; rank < 2; rank++) {
        ranks.await(rank, "ready");
        ranks.tell(rank);
      }
      ranks.await(0, "end");
      ranks.await(1, "end");
      Path folder = directory.resolve("pytorch");
      assertThat(diagnose(files(), "--pytorch", folder.toString()))
          .contains("python3 -m torch.distributed.flight_recorder.fr_trace " + folder);
      List<Path> traces;
      try (Stream<Path> found = Files.walk(folder)) {
        traces = found.filter(Files::isRegularFile).sorted().toList();
      }
      assertThat(traces)
          .extracting(trace -> trace.getFileName().toString())
          .containsExactly("nccl_trace_rank_0", "nccl_trace_rank_1");
      String first = "1 nccl:all_reduce [[16]] [[16]] ['Float'] completed True\n";
      assertThat(python(traces.get(0)))
          .isEqualTo(first + "2 nccl:all_reduce [[16]] [[16]] ['Float'] started False");
      assertThat(python(traces.get(1)))
          .isEqualTo(first + "2 nccl:broadcast [[16]] [[16]] ['Float'] started False");
    }
  }

  @Test
  @Slow
  void aStoppedRankIsMissingAndWaitedFor() throws Exception {
    try (RankProcesses ranks = start("same", "2")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.signal(1, "STOP");
      ranks.tell(0);
      ranks.await(0, "failed: ");
      ranks.await(0, "end");
      assertThat(files()).hasSize(1);
      assertThat(diagnose(files()))
          .contains(
              "Rank 1: its file is missing, and rank 0 waits for it: its process is stopped, dead"
                  + " or cut off.")
          .contains("Rank 0 waits for rank 1 over NET/Socket: ")
          .contains("Rank 0 failed: ");
    }
  }

  @Test
  void aRankThatExitsOnItsFailureHasItsFile() throws Exception {
    try (RankProcesses ranks = start("exit", "2")) {
      ranks.await(0, "ready");
      ranks.await(1, "ready");
      ranks.tell(0);
      ranks.exit(0);
      assertThat(diagnose(files())).contains("Rank 0 failed: ", "Rank 0 waits for rank 1 over ");
    }
  }

  @Test
  @Slow
  void whatCannotBeKeptIsToldUnasked() throws Exception {
    Map<String, String> nowhere = Map.of("NITINOL_FLIGHT_RECORDER_FILE", "/proc/none/flight");
    Map<String, String> none =
        Map.of("NITINOL_FLIGHT_RECORDER_FILE", "flight", "NITINOL_FLIGHT_RECORDER", "0");
    Map<String, String> alone = Map.of("NITINOL_FLIGHT_RECORDER_TRIGGER", "trigger");
    assertTold(nowhere, "/proc/none/flight.0.");
    assertTold(none, "NITINOL_FLIGHT_RECORDER_FILE=flight: nothing is kept or written, since ");
    assertTold(alone, "NITINOL_FLIGHT_RECORDER_TRIGGER=trigger: is set without ");
  }

  private static void assertTold(Map<String, String> variables, String part) throws Exception {
    try (RankProcesses ranks =
        RankProcesses.of(DiagnosedRank.class, 1, rank -> variables, "same")) {
      assertThat(ranks.awaitWithin(0, part)).contains("NCCL WARN");
    }
  }

  @Test
  void aFileThatIsNoneIsOneSentence() throws Exception {
    Path truncated = Files.writeString(directory.resolve("flight-a"), "{\"format\":");
    Path foreign = Files.writeString(directory.resolve("flight-b"), "[1]");
    Path wrong =
        Files.writeString(
            directory.resolve("flight-c"),
            "{\"format\":\"nitinol-flight-recorder\",\"version\":1,\"size\":2000000000}");
    Path none = directory.resolve("flight-d");
    try (CommandProcess command =
        CommandProcess.start(
            "diagnose",
            truncated.toString(),
            foreign.toString(),
            wrong.toString(),
            none.toString())) {
      assertThat(command.exit()).isEqualTo(2);
      assertThat(command.err())
          .contains(truncated + ": it is no whole JSON document")
          .contains(foreign + ": it is no file of a flight recorder")
          .contains(wrong + ": \"size\" is 2000000000; expected a whole number of 1 to 65536")
          .contains(none + ": there is no such file")
          .doesNotContain("Exception");
    }
  }
}
