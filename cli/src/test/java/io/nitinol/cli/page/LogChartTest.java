// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogChartTest {
  private static final LogChart CHART = new LogChart("Time against size", "Time (µs)");

  private static LogChart.Curve curve(String name, LogChart.Point... points) {
    return new LogChart.Curve(name, 1, true, List.of(points));
  }

  @Test
  void aTextIsNoMarkup() {
    assertThat(Html.escaped("<a href=\"x\" title='y'>&amp;</a>"))
        .isEqualTo("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
    assertThat(Html.escaped("a\tb\n\u0000\u001b[1m\u0085\ud800 µ \ud83d\ude00"))
        .isEqualTo("a\tb\n\ufffd\ufffd[1m\ufffd\ufffd µ \ud83d\ude00");
  }

  @Test
  void aPageRunsAndLoadsNothing() {
    assertThat(Html.begin("<b>", "<style></style>") + Html.end())
        .startsWith("<!DOCTYPE html>\n<html lang=\"en\">")
        .contains(
            "content=\"default-src 'none'; style-src 'unsafe-inline'\"",
            "<title>&lt;b&gt;</title>",
            "<h1>&lt;b&gt;</h1>",
            "prefers-color-scheme: dark")
        .endsWith("</body></html>\n");
  }

  @ParameterizedTest
  @CsvSource({
    "8, 64, 8 B, 64 B, 4",
    "1000, 1048577, 512 B, 2 MiB, 7",
    "8, 8, 8 B, 16 B, 2",
    "1, 9223372036854775807, 1 B, 8 EiB, 10"
  })
  void sizesHaveBinaryUnits(long least, long most, String first, String last, int ticks) {
    LogAxis axis = LogAxis.ofBytes(least, most);
    List<String> labels = axis.ticks().stream().map(axis::label).toList();
    assertThat(labels).hasSize(ticks).startsWith(first).endsWith(last);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 100, '1 2 5 10 20 50 100'",
    "0.004, 70, '0.001 0.01 0.1 1 10 100'",
    "5, 5, '1 2 5 10'",
    "2e8, 2e9, '1E+8 2E+8 5E+8 1E+9 2E+9 5E+9 1E+10'"
  })
  void figuresHaveDecades(double least, double most, String labels) {
    LogAxis axis = LogAxis.ofFigures(least, most);
    assertThat(String.join(" ", axis.ticks().stream().map(axis::label).toList())).isEqualTo(labels);
  }

  @Test
  void aFactorIsTheSameDistanceEverywhere() {
    LogAxis axis = LogAxis.ofFigures(1, 1000);
    assertThat(axis.place(1)).isZero();
    assertThat(axis.place(10)).isCloseTo(1 / 3.0, within(1e-9));
    assertThat(axis.place(1000)).isEqualTo(1);
  }

  @Test
  void aPointIsReachedByTheKeyboardAndTellsItsFigures() {
    List<LogChart.Curve> curves =
        List.of(
            curve("<i>", new LogChart.Point(8, 10, "8 & 10"), new LogChart.Point(64, 100, "last")));
    String svg = CHART.svg(curves);
    assertThat(svg)
        .contains("role=\"group\" aria-label=\"Time against size\"")
        // The corners: the axes end where the figures do.
        .contains(
            "<polyline class=\"c1\" stroke-dasharray=\"6 4\" points=\"70.0,370.0 824.0,30.0\"/>")
        .contains(
            "<g class=\"point c1 hollow\" tabindex=\"0\" role=\"img\"><title>8 &amp; 10</title>");
    assertThat(LogChart.legend(curves)).contains(" &lt;i&gt;</li>").doesNotContain("<i>");
  }

  @Test
  void whatIsNotOnALogarithmicAxisIsLeftOut() {
    LogChart.Point nothing = new LogChart.Point(0, 10, "no bytes");
    LogChart.Point immediate = new LogChart.Point(8, 0, "no time");
    assertThat(LogChart.canDraw(List.of(curve("a", nothing, immediate), curve("b")))).isFalse();
    assertThat(CHART.svg(List.of(curve("a", nothing, immediate, new LogChart.Point(8, 2, "one")))))
        .contains("<title>one</title>")
        .doesNotContain("no bytes", "no time", "NaN", "Infinity");
  }
}
