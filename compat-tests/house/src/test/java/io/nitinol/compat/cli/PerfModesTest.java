// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code perf} finds out beside a row for each size: real ranks, and the files they write. */
class PerfModesTest {
  private static final Offset<Double> ROUNDING = within(1e-6);

  /**
   * Half of the ranks send, or all; the rate is theirs together. The check of the rows tells that
   * the others have got nothing.
   */
  @ParameterizedTest
  @CsvSource({"2, '', 1", "4, '', 2", "2, --bidirectional, 2", "4, --bidirectional --threads, 4"})
  @QuickRows({1, 4})
  @FirstRows(1)
  void theRateIsOfTheMessagesOfAllSenders(
      int ranks, String more, int senders, @TempDir Path directory) throws Exception {
    Path json = directory.resolve("rate.json");
    Path csv = directory.resolve("rate.csv");
    Path table = directory.resolve("rate.txt");
    String words =
        "perf sendrecv --rate --window 7 -n %d %s -b 8 -e 8K -f 32 -w 2 --iters 3 --json %s --csv %s"
            .formatted(ranks, more, json, csv);
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.rows()).hasSize(3).allMatch(row -> row.matches(".* 0 +N/A .*N/A +[0-9.e+]+"));
      assertThat(perf.out()).contains("windows of 7 messages", "# Out of bounds values : 0 OK");
      Files.writeString(table, perf.out());
    }
    JsonNode root = read(json);
    assertThat(root.path("config").path("mode").asString()).isEqualTo("rate");
    assertThat(root.path("config").path("window").asInt()).isEqualTo(7);
    for (JsonNode row : root.path("results")) {
      double seconds = row.path("out_of_place").path("time").asDouble() / 1e6;
      assertThat(row.path("messages_per_second").asDouble() * seconds).isCloseTo(senders, ROUNDING);
      double bandwidth = row.path("out_of_place").path("alg_bw").asDouble() * 1e9;
      assertThat(bandwidth * seconds).isCloseTo(row.path("size").asDouble(), within(1e-3));
    }
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.getFirst()).endsWith(",in_place_wrong,messages_per_s");
    assertThat(List.of(lines.get(1).split(",", -1))).hasSize(14);
    try (CommandProcess compare =
        CommandProcess.start("compare", json.toString(), table.toString())) {
      assertThat(compare.exit()).as("%s", compare).isZero();
      assertThat(compare.rows()).hasSize(3);
    }
  }

  /** Each pair once, by sender and receiver; the slowest ones are those of the list. */
  @ParameterizedTest
  @CsvSource({"3, ''", "2, --threads"})
  @QuickRows(1)
  @Slow
  void allPairsAreMeasuredAndTheSlowestIsNamed(int ranks, String more, @TempDir Path directory)
      throws Exception {
    Path json = directory.resolve("pairs.json");
    String words =
        "perf sendrecv --pairs -n %d %s -b 4K --window 5 -w 1 --iters 3 -c 2 --json %s"
            .formatted(ranks, more, json);
    String out;
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      out = perf.out();
      assertThat(perf.rows()).hasSize(2 * ranks);
      for (int i = 0; i < 2 * ranks; i++) {
        List<String> cells = List.of(perf.rows().get(i).strip().split(" +", -1));
        assertThat(cells).hasSize(ranks + 1);
        assertThat(cells.getFirst()).isEqualTo(Integer.toString(i % ranks));
        assertThat(cells.indexOf("-")).isEqualTo(i % ranks + 1);
      }
    }
    JsonNode root = read(json);
    assertThat(root.path("config").path("mode").asString()).isEqualTo("pairs");
    List<String> names = new ArrayList<>();
    double most = 0;
    double least = Double.MAX_VALUE;
    for (JsonNode pair : root.path("pairs")) {
      names.add(pair.path("from").asInt() + " -> " + pair.path("to").asInt());
      assertThat(pair.path("nwrong").asInt(-1)).isZero();
      assertThat(pair.path("size").asInt()).isEqualTo(4096);
      most = Math.max(most, pair.path("latency").asDouble());
      least = Math.min(least, pair.path("bw").asDouble());
    }
    assertThat(names).isEqualTo(orderedPairs(ranks));
    assertThat(least).isPositive();
    assertThat(root.path("longest_latency").path("latency").asDouble()).isEqualTo(most);
    JsonNode slowest = root.path("slowest_pair");
    assertThat(slowest.path("bw").asDouble()).isEqualTo(least);
    assertThat(out)
        .contains(
            "# Slowest pair         : %d -> %d with "
                .formatted(slowest.path("from").asInt(), slowest.path("to").asInt()))
        .contains("# Out of bounds values : 0 OK");
  }

  /** There are whole elements only, and blocks of ranks at whole lines of 16 bytes. */
  @ParameterizedTest
  @CsvSource({
    "sendrecv --pairs -b 1001 -w 1 --iters 2, messages of 1000 B",
    "all_gather --interval 0.1 --seconds 0.1 -b 1001 -w 1, operations of 992 B"
  })
  @Slow
  void theSizeIsTheMeasuredOne(String more, String text) throws Exception {
    try (CommandProcess perf =
        CommandProcess.start(arguments("perf " + more + " -n 2 --threads"))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.out()).contains(text);
    }
  }

  /** The intervals follow one another without a gap, and the total is their sum. */
  @ParameterizedTest
  @CsvSource({"all_reduce, -b 4K, 4096", "barrier, --threads, 0"})
  @FirstRows(1)
  void aLineEachIntervalAndTheirTotal(String label, String more, int bytes, @TempDir Path directory)
      throws Exception {
    Path json = directory.resolve("intervals.json");
    String words =
        "perf %s -n 2 %s --interval 0.2 --seconds 0.6 -w 2 --json %s".formatted(label, more, json);
    List<String> rows;
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      assertThat(perf.out()).contains("# Out of bounds values : 0 OK");
      rows = perf.rows();
    }
    JsonNode root = read(json);
    assertThat(root.path("config").path("mode").asString()).isEqualTo("intervals");
    JsonNode intervals = root.path("intervals");
    assertThat(intervals.size()).isBetween(1, 3); // fewer where a stall is longer than one
    assertThat(rows).hasSize(intervals.size() + 1);
    assertThat(rows.getLast()).endsWith("  total");
    long operations = 0;
    double end = 0;
    for (int i = 0; i < intervals.size(); i++) {
      JsonNode interval = intervals.get(i);
      assertThat(interval.path("begin").asDouble()).isEqualTo(end);
      end = interval.path("end").asDouble();
      operations += interval.path("operations").asLong();
      assertThat(List.of(rows.get(i).strip().split(" +", -1)))
          .hasSize(7)
          .element(1)
          .isEqualTo(interval.path("operations").asString());
      JsonNode spread = interval.path("percentiles");
      assertThat(spread.path("p50").asDouble())
          .isPositive()
          .isBetween(spread.path("min").asDouble(), spread.path("p99").asDouble());
      assertThat(spread.path("p99").asDouble()).isLessThanOrEqualTo(spread.path("max").asDouble());
    }
    assertThat(end).isGreaterThanOrEqualTo(0.6);
    JsonNode total = root.path("total");
    assertThat(total.path("operations").asLong()).isEqualTo(operations).isPositive();
    assertThat(total.path("end").asDouble()).isEqualTo(end);
    JsonNode row = root.path("results").get(0);
    assertThat(row.path("size").asInt()).isEqualTo(bytes);
    assertThat(row.path("out_of_place").path("time").asDouble())
        .isEqualTo(total.path("time").asDouble());
    assertThat(row.path("out_of_place").path("nwrong").asInt(-1)).isZero();
  }

  /** The numbers of operations are those of the table; the line's times are those of all ranks. */
  @ParameterizedTest
  @CsvSource({
    "-b 8 -e 64 -f 8 --percentiles --iters 30, 4, 30",
    "-b 8 --interval 0.2 --seconds 0.2 -c 0, 1, 0"
  })
  @FirstRows(1)
  void theHistogramsAreReadByTheirOwnTools(
      String more, int lines, int operations, @TempDir Path directory) throws Exception {
    Path file = directory.resolve("times.hlog");
    String words = "perf all_reduce -n 2 --threads -w 2 %s --histogram %s".formatted(more, file);
    List<String> rows;
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      assertThat(perf.exit()).as("%s", perf).isZero();
      rows = perf.rows();
    }
    List<Histogram> all = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      while (reader.hasNext()) {
        all.add((Histogram) reader.nextIntervalHistogram());
      }
    }
    assertThat(all).hasSize(lines);
    assertThat(all.getFirst().getTag()).isEqualTo("all_reduce-8");
    long counted = all.stream().mapToLong(Histogram::getTotalCount).sum();
    assertThat(counted)
        .isEqualTo(
            operations > 0
                ? (long) lines * operations
                : 2 * Long.parseLong(rows.getFirst().strip().split(" +", -1)[1]));
    assertThat(all.getFirst().getEndTimeStamp()).isGreaterThan(all.getFirst().getStartTimeStamp());
  }

  @Test
  void aRunOfIntervalsEndsByASignal() throws Exception {
    String words = "perf all_reduce -n 2 -b 8 --interval 0.1 --seconds 600 -w 2";
    try (CommandProcess perf = CommandProcess.start(arguments(words))) {
      perf.awaitLine("^ +0\\.00-");
      perf.terminate();
      assertThat(perf.exit()).as("%s", perf).isEqualTo(143);
      assertThat(perf.out()).doesNotContain("total");
    }
  }

  private static List<String> orderedPairs(int ranks) {
    List<String> all = new ArrayList<>();
    for (int from = 0; from < ranks; from++) {
      for (int to = 0; to < ranks; to++) {
        if (from != to) {
          all.add(from + " -> " + to);
        }
      }
    }
    return all;
  }

  private static JsonNode read(Path json) {
    return JsonMapper.builder().build().readTree(json);
  }

  private static String[] arguments(String words) {
    return words.strip().split(" +", -1);
  }
}
