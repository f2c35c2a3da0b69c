// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareCommandTest {
  @TempDir private Path directory;

  private String file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  private static String compare(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new CompareCommand());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    command.setExecutionExceptionHandler((failure, line, parsed) -> {
      throw failure;
    });
    assertThat(command.execute(words)).as("%s", err).isEqualTo(ExitStatus.OK);
    return out.toString();
  }

  /** Such a failure comes through the command line, which would print it. */
  private static String refusal(String... words) throws Exception {
    CompareCommand compare = new CompareCommand();
    CommandLine command = new CommandLine(compare);
    command.setOut(new PrintWriter(new StringWriter()));
    command.parseArgs(words);
    try {
      compare.call();
    } catch (CommandFailure e) {
      assertThat(e.status()).isEqualTo(ExitStatus.USAGE);
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("accepted " + List.of(words));
  }

  @Test
  void printsBothAndTheSpeedOfTheSecond() throws Exception {
    assertThat(compare(file("a.json", RunSamples.OURS), file("nccl.txt", RunSamples.NCCL)))
        .isEqualTo(
            """
            # A: a.json, all_reduce_perf
            # B: nccl.txt, all_reduce_perf
            # size   type  redop  root  place  A time    A busbw  B time  B busbw  B speed
            #  (B)                               (us)     (GB/s)    (us)   (GB/s)   (of A)
                 8  float    sum    -1    out   20.00  0.0004000   10.00        0    2.000
              1024  float    sum    -1    out   40.25    0.02544   16.10  0.06000    2.500
            # A at 1024 bytes: 3 wrong elements, not steady
                 8  float    sum    -1     in       -          -   9.500        0        -
              1024  float    sum    -1     in   30.50    0.03357   15.25  0.07000    2.000
            # Speed is the time of A over that of the run: above 1 the run is faster than A.
            """);
  }

  @Test
  void tellsWhereNothingCompares() throws Exception {
    String other = RunSamples.NCCL.replace(" float ", "  half ");
    assertThat(compare(file("a.json", RunSamples.OURS), file("b.txt", other)))
        .endsWith("# No size, type, operator, root and place is both in A and in another run.\n");
  }

  @Test
  void oneRunIsATable() throws Exception {
    assertThat(compare(file("a.json", RunSamples.OURS)))
        .contains("A busbw\n", "0.02544\n")
        .doesNotContain("peed");
  }

  @Test
  void saysInOneSentenceWhichFileIsWrong() throws Exception {
    String ours = file("a.json", RunSamples.OURS);
    String gather =
        file("g.json", RunSamples.OURS.replace("\"all_reduce_perf\"", "\"all_gather_perf\""));
    String empty = file("empty", "");
    assertThat(refusal(ours, directory + "/none"))
        .isEqualTo(directory + "/none: there is no such file");
    assertThat(refusal(directory.toString())).isEqualTo(directory + ": it is a directory");
    assertThat(refusal(empty))
        .isEqualTo(
            empty
                + ": it has no row of figures; expected a file of nitinol perf --json, or the table"
                + " that nccl-tests prints");
    assertThat(
            refusal(file("broken.json", "\n{\"results\": [{\"size\": \"x\", \"in_place\": {}}]}")))
        .endsWith("broken.json: results[0]: \"size\" is \"x\"; expected a whole number from 0");
    assertThat(refusal(ours, gather))
        .isEqualTo(
            gather
                + " is a run of all_gather_perf, and "
                + ours
                + " is one of all_reduce_perf: expected runs of one collective");
  }

  @Test
  void thePageHasEachFigureInAChartAndInATable() throws Exception {
    Path page = directory.resolve("page.html");
    compare(
        "--report",
        page.toString(),
        file("a.json", RunSamples.OURS),
        file("nccl.txt", RunSamples.NCCL));
    String text = Files.readString(page);
    assertThat(text)
        .contains("<title>all_reduce_perf</title>")
        .contains("<title>a.json, out of place, 8 B: 20.00 µs</title>")
        .contains(
            "<title>a.json, out of place, 1 KiB: 0.02544 GB/s (3 wrong elements, not steady)"
                + "</title>")
        .contains("<title>nccl.txt, in place, 1 KiB: 0.07000 GB/s</title>")
        // A bandwidth of 0.00 is in the table only.
        .doesNotContain("nccl.txt, in place, 8 B: 0 GB/s")
        .contains("<pre>NCCL_BUFFSIZE=1M nitinol perf all_reduce -n 2 --json &#39;it")
        .contains("<th scope=\"row\" title=\"1024 bytes\">1 KiB</th>")
        .contains("<th scope=\"row\">NCCL_BUFFSIZE</th><td>1M</td>")
        .contains("<th scope=\"row\">Hosts</th><td>node1, node2</td>")
        .contains("on      node1 device  0 [0000:1b:00] NVIDIA H100")
        .doesNotContain("<script", "http:", "https:", "src=", "@import", "url(");
    assertThat(cells(text, "time"))
        .containsExactly(
            List.of("8 B", "20.00", "", "10.00", "9.500"),
            List.of("1 KiB", "40.25 (3 wrong elements, not steady)", "30.50", "16.10", "15.25"));
    assertThat(cells(text, "busbw"))
        .containsExactly(
            List.of("8 B", "0.0004000", "", "0", "0"),
            List.of(
                "1 KiB",
                "0.02544 (3 wrong elements, not steady)",
                "0.03357",
                "0.06000",
                "0.07000"));
  }

  /** Returns the rows below the titles of the table that a link of the page leads to. */
  private static List<List<String>> cells(String page, String id) {
    assertThat(page).contains("<a href=\"#" + id + "\">");
    String table = page.substring(page.indexOf("id=\"" + id + "\">"));
    table = table.substring(table.indexOf("<tbody>"), table.indexOf("</tbody>"));
    List<List<String>> rows = new ArrayList<>();
    for (String row : table.split("<tr>", -1)) {
      List<String> cells = new ArrayList<>();
      Matcher cell = Pattern.compile("<t[hd][^>]*>(.*?)</t[hd]>").matcher(row);
      while (cell.find()) {
        cells.add(cell.group(1));
      }
      if (!cells.isEmpty()) {
        rows.add(cells);
      }
    }
    return rows;
  }

  /** A file may be of a stranger, and its page is looked at by others. */
  @Test
  void nothingOfAFileIsMarkup() throws Exception {
    String evil = "<script>alert(1)</script>'\\\" onfocus=\\\"x><img src=x>";
    String json = RunSamples.OURS;
    for (String text :
        List.of(
            "all_reduce_perf",
            "sum",
            "-1",
            "float",
            "node1",
            "scalar",
            "1M",
            "0.1.0",
            "Socket (v12): lo",
            "all_reduce",
            "2026-01-02T03:04:05Z")) {
      json = json.replace("\"" + text + "\"", "\"" + evil + "\"");
    }
    json = json.replace("\"NCCL_BUFFSIZE\"", "\"NCCL_" + evil + "\"");
    Path page = directory.resolve("page.html");
    compare(
        "--report",
        page.toString(),
        file("<script>'\"&.json", json),
        file(
            "t.txt",
            RunSamples.NCCL
                .replace("# Collective test starting: all_reduce_perf\n", "")
                .replace(" sum ", " s<script> ")
                .replace("H100", "<script>")));
    String text = Files.readString(page);
    assertThat(text).contains("&lt;script&gt;").doesNotContain("<script", "<img", "onfocus=\"");
    // Every tag and every value is whole: no text has got out of its place.
    assertThat(text.replaceAll("<[a-zA-Z/!][^<>]*>", "")).doesNotContain("<");
  }

  /** As where the page was forgotten: the first run would be lost. */
  @Test
  void aPageReplacesNoRun() throws Exception {
    String a = file("a.json", RunSamples.OURS);
    String b = file("b.json", RunSamples.OURS);
    CompareCommand forgotten = new CompareCommand();
    new CommandLine(forgotten).parseArgs("--report", a, b);
    assertThatThrownBy(forgotten::call)
        .hasMessage(
            "--report %s: cannot be written: it does not begin with <!DOCTYPE html>; expected a"
                + " page, an empty file or no file",
            a);
    CompareCommand twice = new CompareCommand();
    new CommandLine(twice).parseArgs("--report", directory + "/./b.json", a, b);
    assertThatThrownBy(twice::call)
        .hasMessage(
            "--report %s/./b.json: it is one of the runs; expected another file", directory);
    assertThat(directory.resolve("a.json")).hasContent(RunSamples.OURS);
    assertThat(directory.resolve("b.json")).hasContent(RunSamples.OURS);
  }

  @Test
  void aPageReplacesAPage() throws Exception {
    String page = file("page.html", "");
    String run = file("a.json", RunSamples.OURS);
    compare("--report", page, run);
    String first = Files.readString(Path.of(page));
    compare("--report", page, run);
    assertThat(Path.of(page)).hasContent(first);
  }

  /** Each row has a size of its own, and an operator of its own, and so a curve. */
  @Test
  void aPageThatWouldBeTooLargeIsRefused() throws Exception {
    StringBuilder table = new StringBuilder();
    for (int i = 1; i <= 1001; i++) {
      table.append(i).append(" 2 float op").append(i).append(" -1 1 1 1 0 N/A N/A N/A N/A\n");
    }
    String page = directory + "/page.html";
    assertThat(refusal("--report", page, file("many.txt", table.toString())))
        .isEqualTo(
            "--report "
                + page
                + ": cannot be written: the page would have 1001 points, and tables of 1001 sizes"
                + " by 1001 curves; expected at most 100000 points and 1000000 cells");
  }

  /** The bound of a page itself counts where perf writes one: there is no file before it. */
  @Test
  void aPageOfManyPointsIsRefused() {
    NavigableMap<PointKey, PerfPoint> points = new TreeMap<>();
    for (int size = 0; size <= RunPage.MOST_POINTS; size++) {
      PointKey key = new PointKey(size, "float", "sum", "-1", false);
      points.put(key, new PerfPoint(key, 1, 1, 1, 0, true));
    }
    PerfRun run =
        new PerfRun("a", "", false, new TreeMap<>(), new TreeMap<>(), "", List.of(), points);
    assertThatThrownBy(() -> RunPage.text(List.of(run)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the page would have 100001 points, ");
  }

  @Test
  void thePointsOfAllFilesAreCounted() throws Exception {
    StringBuilder table = new StringBuilder();
    for (int size = 1; size <= RunPage.MOST_POINTS / 2; size++) {
      table.append(size).append(" 2 float sum -1 1 1 1 0 1 1 1 0\n");
    }
    String many = file("many.txt", table.toString());
    String one = file("one.txt", "8 2 float sum -1 1 1 1 0 N/A N/A N/A N/A\n");
    assertThat(RunFiles.read(List.of(Path.of(many))).getFirst().points())
        .hasSize(RunPage.MOST_POINTS);
    assertThat(refusal(many, one))
        .isEqualTo(one + ": with it there are 100001 points; expected at most 100000 in all files");
  }

  @Test
  void aDocumentHasABound() throws Exception {
    String most = "{" + " ".repeat(RunFiles.MOST_BYTES_OF_JSON - 2) + "}";
    assertThat(refusal(file("most.json", most))).contains("it has no \"results\"");
    String more = file("more.json", most + " ");
    assertThat(refusal(more))
        .isEqualTo(more + ": it has 16777217 bytes of JSON; expected at most 16777216");
  }

  @Test
  void aByteOrderMarkIsSkipped() throws Exception {
    assertThat(
            compare(
                file("a.json", "\uFEFF" + RunSamples.OURS),
                file("b.txt", "\uFEFF" + RunSamples.NCCL)))
        .startsWith("# A: a.json, all_reduce_perf\n# B: b.txt, all_reduce_perf\n");
  }

  @Test
  void aPageThatCannotBeWrittenIsToldFirst() {
    CompareCommand compare = new CompareCommand();
    new CommandLine(compare).parseArgs("--report", "/no/such/page", "/no/such/run");
    assertThatThrownBy(compare::call)
        .hasMessage("--report /no/such/page: cannot be written: there is no directory /no");
  }
}
