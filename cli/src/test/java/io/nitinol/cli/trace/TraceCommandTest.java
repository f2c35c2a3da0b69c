// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nitinol.cli.command.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Traces of ranks whose clocks are known to be wrong are merged, and right afterwards. */
class TraceCommandTest {
  private static final long BOOT = 5_000_000_000L;
  private static final long UTC = 1_790_000_000_000_000_000L;

  @TempDir private Path directory;

  /**
   * A host's clock.
   *
   * @param ahead of the true time since 1970 at the beginning, in nanoseconds
   * @param drift how many nanoseconds it gains in a second
   */
  private record Clock(String host, long ahead, double drift) {
    /** Returns the time since the boot that it shows. */
    long shown(long trueNanos) {
      return BOOT + trueNanos + Math.round(trueNanos * drift / 1e9);
    }
  }

  private static String micros(long nanos) {
    return BigDecimal.valueOf(nanos, 3).toPlainString();
  }

  private static String event(String name, long sequence, long begin, long end) {
    return """
    {"ph":"X","pid":9,"tid":4,"name":"%s","cat":"COLL","ts":%s,"dur":%s,\
    "args":{"event":%d,"sequence":%d,"count":10}}\
    """
        .formatted(name, micros(begin), micros(end - begin), sequence + 1, sequence);
  }

  private Path write(String file, int rank, int ranks, Clock clock, List<String> events)
      throws IOException {
    return Files.writeString(
        directory.resolve(file),
        """
        {"otherData":{"full":%s,"rank":%d,"ranks":%d,"communicator":"c0ffee","host":"%s",\
        "clock":"boot of %s","clock_us":%d,"utc_us":%d},"traceEvents":[
        {"ph":"M","pid":%d,"tid":0,"name":"process_name","args":{"name":"rank %d of %d"}}%s
        ]}
        """
            .formatted(
                events.size() > 2000,
                rank,
                ranks,
                clock.host,
                clock.host,
                clock.shown(0) / 1000,
                (UTC + clock.ahead) / 1000 + rank * 100, // each process reads the two anew
                rank,
                rank,
                ranks,
                events.isEmpty() ? "" : ",\n" + String.join(",\n", events)));
  }

  /** Writes the traces of all-reduces; {@code begins[rank]} has when each of them truly began. */
  private List<Path> job(List<Clock> clocks, int operations, List<List<Long>> begins)
      throws IOException {
    Random random = new Random(7);
    List<List<String>> events = new ArrayList<>();
    clocks.forEach(clock -> {
      events.add(new ArrayList<>());
      begins.add(new ArrayList<>());
    });
    for (int i = 0; i < operations; i++) {
      long start = i * 10_000_000L;
      long[] begin = new long[clocks.size()];
      for (int rank = 0; rank < begin.length; rank++) {
        begin[rank] = start + random.nextInt(400_000);
      }
      long last = Arrays.stream(begin).max().orElseThrow();
      for (int rank = 0; rank < begin.length; rank++) {
        long end = last + 5_000 + random.nextInt(20_000);
        Clock clock = clocks.get(rank);
        begins.get(rank).add(begin[rank]);
        events.get(rank).add(event("all_reduce", i, clock.shown(begin[rank]), clock.shown(end)));
      }
    }
    List<Path> files = new ArrayList<>();
    for (int rank = 0; rank < clocks.size(); rank++) {
      String name = "rank-" + rank + ".json";
      files.add(write(name, rank, clocks.size(), clocks.get(rank), events.get(rank)));
    }
    return files;
  }

  private String run(List<Path> files) {
    List<String> arguments = new ArrayList<>(files.stream().map(Path::toString).toList());
    arguments.addAll(List.of("-o", directory.resolve("merged.json").toString()));
    StringWriter out = new StringWriter();
    TraceCommand trace = new TraceCommand();
    CommandLine command = new CommandLine(trace).setOut(new PrintWriter(out));
    command.parseArgs(arguments.toArray(String[]::new));
    assertThat(trace.call()).isZero();
    return out.toString();
  }

  /** Returns when the operations of each process begin, in nanoseconds, by process. */
  private SortedMap<Integer, List<Double>> merged() {
    JsonNode root = JsonMapper.builder().build().readTree(directory.resolve("merged.json"));
    SortedMap<Integer, List<Double>> found = new TreeMap<>();
    for (JsonNode event : root.get("traceEvents")) {
      if (event.get("ph").asString().equals("X")) {
        found
            .computeIfAbsent(event.get("pid").asInt(), process -> new ArrayList<>())
            .add(event.get("ts").asDouble() * 1000);
      }
    }
    return found;
  }

  @ParameterizedTest(name = "{0} ns ahead, {1} ns a second")
  @CsvSource({"0, 0", "250000, 0", "-3000000000, 20000", "4000000000000, -50000"})
  void clocksThatAreWrongAndDriftAreCorrected(long ahead, double drift) throws IOException {
    List<Clock> clocks =
        List.of(
            new Clock("a", 0, 0),
            new Clock("b", ahead, drift),
            new Clock("c", -ahead / 2, -drift),
            new Clock("b", ahead, drift));
    List<List<Long>> begins = new ArrayList<>();
    String said = run(job(clocks, 1000, begins));
    assertThat(said)
        .contains("Communicator c0ffee: 4 of 4 ranks, 4000 events")
        .containsPattern("Clock of b: [+-][0-9.]+ us against a, known to [0-9.]+ us")
        .contains("Clock of c: ")
        .doesNotContain("Clock of a", "kept its first");
    double[] known =
        said.lines()
            .filter(line -> line.startsWith("Clock of b"))
            .mapToDouble(line -> Double.parseDouble(line.split(" ")[3]))
            .toArray();
    assertThat(known[0] * 1000)
        .isCloseTo(-ahead - 100_000 - drift * 5, within(60_000.0)); // of rank 1's start
    SortedMap<Integer, List<Double>> merged = merged();
    assertThat(merged.keySet()).containsExactly(0, 1, 2, 3);
    double off = 40_000; // a meeting tells to about its length, which is up to 25 us
    double first = merged.get(0).getFirst() - begins.get(0).getFirst();
    for (int rank = 0; rank < 4; rank++) {
      for (int i = 0; i < 1000; i++) {
        assertThat(merged.get(rank).get(i)).isNotNegative();
        assertThat(merged.get(rank).get(i) - first)
            .as("rank %d, operation %d", rank, i)
            .isCloseTo(begins.get(rank).get(i), within(off));
      }
    }
  }

  @Test
  void aClockWithoutACommonCollectiveIsSaidToBeAsItWas() throws IOException {
    Path one =
        write("one.json", 0, 2, new Clock("a", 0, 0), List.of(event("all_reduce", 0, 9, 99)));
    Path two = write("two.json", 1, 2, new Clock("b", 0, 0), List.of(event("broadcast", 0, 9, 99)));
    assertThat(run(List.of(two, one)))
        .contains("Clock of b: not corrected, since it had no collective with a");
  }

  @Test
  void anOperationThatNoCorrectionExplainsIsCounted() throws IOException {
    Clock a = new Clock("a", 0, 0);
    Clock b = new Clock("b", 0, 0);
    Path one = write("one.json", 0, 3, a, List.of(event("all_reduce", 0, 100, 110)));
    Path two = write("two.json", 1, 3, b, List.of(event("all_reduce", 0, 100, 110)));
    Path three = write("three.json", 2, 3, b, List.of(event("all_reduce", 0, 200, 210)));
    assertThat(run(List.of(one, two, three)))
        .contains("1 operations that no correction of clocks explains");
  }

  @Test
  void processesOfOneHostStayAsTheyWere() throws IOException {
    Clock host = new Clock("a", 0, 0);
    Path one = write("one.json", 0, 2, host, List.of(event("all_reduce", 0, 9_000, 99_000)));
    Path two = write("two.json", 1, 2, host, List.of(event("all_reduce", 0, 9_500, 99_000)));
    assertThat(run(List.of(two, one))).doesNotContain("Clock");
    assertThat(merged().get(0)).containsExactly(0.0);
    assertThat(merged().get(1)).containsExactly(500.0);
  }

  @Test
  void aClockIsCorrectedOverAnotherCommunicatorAtAnotherTime() throws IOException {
    long later = 40_000_000_000L;
    List<Path> files = new ArrayList<>();
    List<Clock> clocks =
        List.of(
            new Clock("a", 0, 0), new Clock("b", 20_000_000_000L, 0), new Clock("c", -7_000, 0));
    for (int pair = 0; pair < 2; pair++) {
      for (int rank = 0; rank < 2; rank++) {
        Clock clock = clocks.get(pair + rank);
        long begin = clock.shown(pair * later + rank * 2_000);
        long end = clock.shown(pair * later + 10_000);
        Path file =
            write(
                pair + "-" + rank + ".json",
                rank,
                2,
                clock,
                List.of(event("all_reduce", 0, begin, end)));
        Files.writeString(file, Files.readString(file).replace("c0ffee", "c0ffe" + pair));
        files.add(file);
      }
    }
    String said = run(files);
    assertThat(said).contains("Clock of b: ", "Clock of c: ").doesNotContain("not corrected");
    assertThat(merged().get(3).getFirst()).isCloseTo(later, within(30_000.0));
  }

  @Test
  void whatWasGivenUpTellsNothingOfClocks() throws IOException {
    String failed =
        event("all_reduce", 0, 9, 99).replace("\"count\"", "\"given_up\":true,\"count\"");
    Path one = write("one.json", 0, 2, new Clock("a", 0, 0), List.of(failed));
    Path two = write("two.json", 1, 2, new Clock("b", 0, 0), List.of(failed));
    assertThat(run(List.of(two, one))).contains("Clock of b: not corrected");
  }

  @Test
  void aTraceIsNotWrittenOverOneOfItsParts() throws IOException {
    Path file = write("merged.json", 0, 1, new Clock("a", 0, 0), List.of());
    String text = Files.readString(file);
    refused(List.of(file), "is one of the traces");
    assertThat(file).hasContent(text);
  }

  @Test
  void whatARankDidNotKeepIsSaid() throws IOException {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 2001; i++) {
      events.add(event("all_reduce", i, i * 10L, i * 10L + 5));
    }
    Path file = write("one.json", 1, 3, new Clock("a", 0, 0), events);
    assertThat(run(List.of(file)))
        .contains("1 of 3 ranks")
        .contains("rank 1 kept its first 2001 events only: NITINOL_PROFILER_JSON_EVENTS");
  }

  @Test
  void whatIsNoTraceIsRefusedAndNamed() throws IOException {
    Path good = write("good.json", 0, 2, new Clock("a", 0, 0), List.of());
    refused(List.of(good, good), "another file is of rank 0 of communicator c0ffee too");
    Path none = directory.resolve("none.json");
    refused(List.of(none), none + ": there is no such file");
    for (String text :
        List.of(
            "",
            "[]",
            "{\"traceEvents\":[]}",
            "{\"otherData\":{}}",
            Files.readString(good).replace("\"rank\":0", "\"rank\":2"),
            Files.readString(good).replace("c0ffee", "coffee"),
            Files.readString(good).replace("]}", "]"),
            Files.readString(good).replace("]}", ",{\"ph\":\"X\",\"ts\":-1,\"dur\":1}]}"))) {
      refused(
          List.of(Files.writeString(directory.resolve("bad.json"), text)),
          directory.resolve("bad.json") + ": ");
    }
    assertThat(directory.resolve("merged.json")).doesNotExist();
  }

  /** A full disk, say, is no fault of the trace that is read. */
  @Test
  void whatGoesWrongWithTheOutputIsNotBlamedOnTheTrace() throws IOException {
    Clock clock = new Clock("a", 0, 0);
    Path file = write("0.json", 0, 1, clock, List.of(event("all_reduce", 0, BOOT, BOOT + 1000)));
    RankTrace trace = RankTrace.read(file);
    IOException full = new IOException("No space left on device");
    assertThatThrownBy(() ->
            trace.events(event -> {
              throw full;
            }))
        .isSameAs(full);
    Files.writeString(file, "{\"otherData\":{},\"traceEvents\":[{\"ph\":");
    assertThatThrownBy(() -> trace.events(event -> {}))
        .hasMessageStartingWith(file + ": ")
        .hasMessageEndingWith("; expected a trace of the profiler JSON");
  }

  private void refused(List<Path> files, String text) {
    assertThatThrownBy(() -> run(files))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(text);
  }
}
