// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.NavigableMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NcclTableTest {
  private static final String TITLES =
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";

  private static final String UNSTEADY =
      "# 16 bytes: not steady after the longest warm-up, so this row is not to be believed";

  private static PointKey key(long size, String redop, String root, boolean inPlace) {
    return new PointKey(size, "float", redop, root, inPlace);
  }

  private static PerfPoint point(PointKey key, double micros, double bandwidth, double wrong) {
    return new PerfPoint(key, micros, bandwidth, bandwidth, wrong, true);
  }

  @Test
  void readsTheTableOfNow() throws Exception {
    PerfRun run = NcclTable.parse(RunSamples.NCCL);
    assertThat(run.program()).isEqualTo("all_reduce_perf");
    assertThat(run.points().values())
        .containsExactlyInAnyOrder(
            point(key(8, "sum", "-1", false), 10, 0, 0),
            point(key(8, "sum", "-1", true), 9.5, 0, 0),
            point(key(1024, "sum", "-1", false), 16.1, 0.06, 0),
            point(key(1024, "sum", "-1", true), 15.25, 0.07, PerfPoint.UNCHECKED));
    assertThat(run.comments())
        .contains("#  Rank  0 Group  0 Pid   4711 on      node1 device  0 [0000:1b:00] NVIDIA H100")
        .noneMatch(line -> line.contains("NCCL INFO"));
  }

  /** Before 2.11: no root, and an error where the number of wrong elements is now. */
  @Test
  void readsAnOldTable() throws Exception {
    String old =
        """
        #       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
                   8             2   float     sum    20.00    0.10    0.10  2e+00    21.00    0.20    0.20  0e+00
                  16             4   float            22.00    0.10    0.10    N/A    23.00    0.20    0.20    N/A
        """;
    assertThat(NcclTable.parse(old).points().values())
        .containsExactlyInAnyOrder(
            point(key(8, "sum", "-1", false), 20, 0.1, -1),
            point(key(8, "sum", "-1", true), 21, 0.2, -1),
            point(key(16, "none", "-1", false), 22, 0.1, -1),
            point(key(16, "none", "-1", true), 23, 0.2, -1));
  }

  /** Each with the columns that an option adds; two of them have only one place. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `# size count type redop root time algbw busbw #wrong time algbw busbw #wrong timestamp` | `8 2 float none 3 7.00 0.5 0.6 1 N/A N/A N/A N/A 2026-01-02 03:04:05` | 3 | false
          `# size count type redop root cputime algbw busbw #wrong #bitdiff cputime algbw busbw #wrong #bitdiff` | `8 2 float none 3 7.00 0.5 0.6 1 0 N/A N/A N/A N/A 0` | 3 | false
          `# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min i_max i_p99 i_cv%` | `8 2 float none 3 7.00 0.5 0.6 1 5 9 9 2` | 3 | true
          `[1,0]<stdout>:# size count type redop root time algbw busbw #wrong time algbw busbw #wrong` | `[1,0]<stdout>: 8 2 float none 3 7.0e+00 0.5 0.6 1 N/A N/A N/A N/A` | 3 | false
          `[prterun-host-123@1,0]<stdout>: # size count type redop root time algbw busbw #wrong time algbw busbw #wrong` | `[prterun-host-123@1,0]<stdout>: 8 2 float none 3 7.0e+00 0.5 0.6 1 N/A N/A N/A N/A` | 3 | false
          `# nothing` | `8 2 float none -1 7 0.5 0.6 1 N/A N/A N/A N/A` | -1 | false
          """)
  void readsTheColumnsThatTheTitlesName(String titles, String row, String root, boolean inPlace)
      throws Exception {
    assertThat(NcclTable.parse(titles + "\n" + row + "\n").points().values())
        .containsExactly(new PerfPoint(key(8, "none", root, inPlace), 7, 0.5, 0.6, 1, true));
  }

  /** {@code nitinol perf} tells below a row. */
  @Test
  void aRowThatIsNotSteadyIsDoubted() throws Exception {
    String row = " 2 float sum -1 1 1 1 0 1 1 1 0\n";
    NavigableMap<PointKey, PerfPoint> points =
        NcclTable.parse(TITLES + 8 + row + 16 + row + UNSTEADY + "\n" + 32 + row).points();
    assertThat(points.values())
        .hasSize(6)
        .allMatch(point -> point.steady() == (point.key().size() != 16));
  }

  @Test
  void rootsSortAsNumbers() throws Exception {
    StringBuilder table = new StringBuilder(TITLES);
    for (String root : new String[] {"10", "2", "-1"}) {
      table.append("8 2 float sum ").append(root).append(" 1 1 1 0 N/A N/A N/A N/A\n");
    }
    assertThat(NcclTable.parse(table.toString()).points().keySet())
        .extracting(PointKey::root)
        .containsExactly("-1", "2", "10");
  }

  @Test
  void aStrangersRowsAreCounted() {
    String row = "8 2 float sum -1 1 1 1 0 1 1 1 0\n";
    assertThatThrownBy(() -> NcclTable.parse(TITLES + row.repeat(PerfRun.MOST_ROWS + 1)))
        .isInstanceOf(IOException.class)
        .hasMessage("line 100002: expected at most 100000 rows of figures in a file");
  }

  /** {@code -N} goes through all sizes several times. */
  @Test
  void ofSeveralCyclesTheMedianCountsAndEachWrongElement() throws Exception {
    StringBuilder table = new StringBuilder(TITLES);
    for (String row : new String[] {"30 1 1 0", "10 3 3 2", "20 2 2 1", "90 0 0 N/A"}) {
      table.append("8 2 float sum -1 ").append(row).append(" N/A N/A N/A N/A\n");
    }
    assertThat(NcclTable.parse(table.toString()).points().values())
        .containsExactly(point(key(8, "sum", "-1", false), 20, 2, 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `hello` | it has no row of figures; expected a file of nitinol perf --json, or the table that nccl-tests prints
          `8 2 float sum -1 10 0.1` | line 2: 7 words, 8 2 float sum -1 10 0.1; expected the 13 columns size count type redop root time algbw busbw #wrong time algbw busbw #wrong
          `8 2 float sum -1 fast 1 1 0 1 1 1 0` | line 2: time is 'fast'; expected 0, or a number from 1e-30 to 1e30
          `8 2 float sum -1 1.2.3 1 1 0 1 1 1 0` | line 2: time is '1.2.3'; expected 0, or a number from 1e-30 to 1e30
          `8 2 float sum -1 1 1 1e99 0 1 1 1 0` | line 2: busbw is '1e99'; expected 0, or a number from 1e-30 to 1e30
          `8 2 float sum -1 1 1 1 ? 1 1 1 0` | line 2: #wrong is '?'; expected 0, or a number from 1e-30 to 1e30
          `99999999999999999999 2 float sum -1 1 1 1 0 1 1 1 0` | line 2: the size 99999999999999999999 is too large a number
          `# Collective test starting: a_perf@# Collective test starting: b_perf` | line 3: a table of b_perf after one of a_perf; expected one program in a file
          """)
  void namesTheLineThatIsWrong(String text, String message) {
    assertThatThrownBy(() -> NcclTable.parse(TITLES + text.replace('@', '\n')))
        .isInstanceOf(IOException.class)
        .hasMessage(message);
  }
}
