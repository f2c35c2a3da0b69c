// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.cli.page.Html;
import io.nitinol.cli.page.LogChart;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Runs laid over one another: bus bandwidth and time against size as charts, the same figures as
 * tables, then each run's machine, variables and command.
 */
public final class RunPage {
  /** More curves than this cannot be told apart; the tables have them all. */
  private static final int MOST_CURVES = 24;

  /** More make a page that no browser shows; a file may be of a stranger. */
  private static final int MOST_CELLS = 1_000_000;

  /** Of all runs together; a page has each of them several times. */
  static final int MOST_POINTS = 100_000;

  private static final String STYLE =
      """
      .figures td, .figures thead th { text-align: right }
      .figures thead th:first-child { text-align: left }
      """;

  /**
   * A curve: what its points share, of one run.
   *
   * @param name of the legend, and of the column of the table
   */
  private record Column(PerfRun run, PointKey shared, int number, String name) {}

  private final List<PerfRun> runs;
  private final SortedSet<PointKey> keys;
  private final SortedSet<Long> sizes;
  private final boolean typesDiffer;
  private final boolean redopsDiffer;
  private final boolean rootsDiffer;
  private final boolean placesDiffer;
  private final List<Column> columns = new ArrayList<>();
  private final StringBuilder out = new StringBuilder();

  private RunPage(List<PerfRun> runs) {
    this.runs = runs;
    this.keys = ComparisonTable.keys(runs);
    this.sizes = new TreeSet<>(keys.stream().map(PointKey::size).toList());
    this.typesDiffer = differ(keys, PointKey::type);
    this.redopsDiffer = differ(keys, PointKey::redop);
    this.rootsDiffer = differ(keys, PointKey::root);
    this.placesDiffer = differ(keys, PointKey::place);
  }

  /**
   * Returns the page of one run.
   *
   * @param document what {@code --json} writes
   */
  public static String ofDocument(JsonNode document) throws IOException {
    return text(List.of(RunDocument.run(document)));
  }

  /**
   * Returns the page of runs of one collective.
   *
   * @throws IOException with a sentence, where it would be too large
   */
  static String text(List<PerfRun> runs) throws IOException {
    RunPage page = new RunPage(runs);
    page.findColumns();
    page.requireBounds();
    page.write();
    return page.out.toString();
  }

  /** One number for each operation of a run, which out of place and in place share. */
  private void findColumns() {
    Map<Object, Integer> numbers = new LinkedHashMap<>();
    for (int i = 0; i < runs.size(); i++) {
      PerfRun run = runs.get(i);
      for (PointKey key :
          new TreeSet<>(run.points().keySet().stream().map(PointKey::curve).toList())) {
        Object both = List.of(i, key.type(), key.redop(), key.root());
        int number = numbers.computeIfAbsent(both, each -> numbers.size());
        columns.add(new Column(run, key, number, name(run, key)));
      }
    }
  }

  private void requireBounds() throws IOException {
    int points = runs.stream().mapToInt(run -> run.points().size()).sum();
    long cells = (long) columns.size() * sizes.size();
    if (points > MOST_POINTS || cells > MOST_CELLS) {
      throw new IOException(
          ErrorText.of(
              "the page would have %d points, and tables of %d sizes by %d curves; expected at most"
                  + " %d points and %d cells",
              points, sizes.size(), columns.size(), MOST_POINTS, MOST_CELLS));
    }
  }

  /** Returns the run's name, with what differs between the curves of any run. */
  private String name(PerfRun run, PointKey key) {
    StringBuilder name = new StringBuilder(run.name());
    if (typesDiffer) {
      name.append(", ").append(key.type());
    }
    if (redopsDiffer) {
      name.append(", ").append(key.redop());
    }
    if (rootsDiffer) {
      name.append(", root ").append(key.root());
    }
    if (placesDiffer) {
      name.append(key.inPlace() ? ", in place" : ", out of place");
    }
    return name.toString();
  }

  private static boolean differ(SortedSet<PointKey> keys, Function<PointKey, String> part) {
    return keys.stream().map(part).distinct().count() > 1;
  }

  private void write() {
    String what =
        runs.stream()
            .map(PerfRun::program)
            .filter(program -> !program.isEmpty())
            .findFirst()
            .orElse("Runs");
    out.append(Html.begin(what, "<style>\n" + LogChart.STYLE + STYLE + "</style>\n"));
    out.append("<main>\n<p>")
        .append(
            Html.escaped(
                "Of "
                    + runs.stream().map(PerfRun::name).collect(Collectors.joining(", "))
                    + ". Both axes of the charts are logarithmic. A point shows its figures when"
                    + " the mouse or the keyboard is on it; the tables have all figures."))
        .append("</p>\n");
    writeFigures("busbw", "Bus bandwidth", "GB/s", PerfPoint::busBandwidth);
    writeFigures("time", "Time of one operation", "µs", PerfPoint::micros);
    writeSpread();
    runs.forEach(this::writeRun);
    out.append("</main>\n").append(Html.end());
  }

  private void writeFigures(
      String id, String title, String unit, ToDoubleFunction<PerfPoint> figure) {
    LogChart chart = new LogChart(title + " against size", title + " (" + unit + ")");
    List<LogChart.Curve> curves =
        columns.stream().limit(MOST_CURVES).map(column -> curve(column, unit, figure)).toList();
    out.append(ErrorText.of("<h2>%s</h2>\n", Html.escaped(title)));
    if (LogChart.canDraw(curves)) {
      out.append(
          ErrorText.of(
              "<p><a href=\"#%s\">Past the points, to the table of the same figures</a></p>\n",
              id));
      out.append(LogChart.legend(curves)).append(chart.svg(curves));
    }
    if (columns.size() > MOST_CURVES) {
      out.append(
          ErrorText.of(
              "<p>The chart has the first %d of %d curves.</p>\n", MOST_CURVES, columns.size()));
    }
    writeTable(id, title + " in " + unit, figure);
  }

  private static LogChart.Curve curve(
      Column column, String unit, ToDoubleFunction<PerfPoint> figure) {
    List<LogChart.Point> points = new ArrayList<>();
    column
        .run()
        .points()
        .forEach((key, point) -> {
          if (key.curve().equals(column.shared())) {
            double value = figure.applyAsDouble(point);
            points.add(
                new LogChart.Point(
                    key.size(),
                    value,
                    ErrorText.of(
                        "%s, %s: %s %s%s",
                        column.name(),
                        SizeText.of(key.size()),
                        PerfPoint.figure(value),
                        unit,
                        doubts(point))));
          }
        });
    return new LogChart.Curve(column.name(), column.number(), column.shared().inPlace(), points);
  }

  private static String doubts(PerfPoint point) {
    return point.doubts().isEmpty() ? "" : " (" + String.join(", ", point.doubts()) + ")";
  }

  /** Writes a table of figures by size, up to the heading of its first column. */
  private void beginTable(String id, String caption) {
    out.append(
        ErrorText.of(
            """
            <div class="wide" tabindex="0" role="region" aria-label="%s">
            <table class="figures" id="%s"><caption>%s</caption>
            <thead><tr><th scope="col">size</th>\
            """,
            Html.escaped(caption), id, Html.escaped(caption)));
  }

  /** Returns the first cell of a row, with the exact number for those who point at it. */
  private static String rowOf(long size) {
    return ErrorText.of("<th scope=\"row\" title=\"%d bytes\">%s</th>", size, SizeText.of(size));
  }

  private void writeTable(String id, String caption, ToDoubleFunction<PerfPoint> figure) {
    beginTable(id, caption);
    for (Column column : columns) {
      out.append(ErrorText.of("<th scope=\"col\">%s</th>", Html.escaped(column.name())));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (long size : sizes) {
      out.append(ErrorText.of("<tr>%s", rowOf(size)));
      for (Column column : columns) {
        PointKey shared = column.shared();
        PerfPoint point = column.run().points().get(shared.sized(size));
        out.append("<td>");
        if (point != null) {
          out.append(PerfPoint.figure(figure.applyAsDouble(point)))
              .append(Html.escaped(doubts(point)));
        }
        out.append("</td>");
      }
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
  }

  /** How times are spread, where a run took them one by one ({@code perf --percentiles}). */
  private void writeSpread() {
    if (runs.stream()
        .flatMap(run -> run.points().values().stream())
        .allMatch(point -> point.spread().isEmpty())) {
      return;
    }
    out.append(
        """
        <h2>How times are spread</h2>
        <p>One operation took no longer than this in half of all cases (p50), in nine of ten (p90), and so on.</p>
        """);
    beginTable("spread", "Spread of times in µs");
    out.append("<th scope=\"col\">run</th>");
    for (String name : PerfPoint.SPREAD) {
      out.append(ErrorText.of("<th scope=\"col\">%s</th>", name));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (long size : sizes) {
      for (Column column : columns) {
        PerfPoint point = column.run().points().get(column.shared().sized(size));
        if (point != null && !point.spread().isEmpty()) {
          out.append(ErrorText.of("<tr>%s<td>%s</td>", rowOf(size), Html.escaped(column.name())));
          point
              .spread()
              .forEach(value -> out.append(ErrorText.of("<td>%s</td>", PerfPoint.figure(value))));
          out.append("</tr>\n");
        }
      }
    }
    out.append("</tbody></table></div>\n");
  }

  private void writeRun(PerfRun run) {
    out.append(ErrorText.of("<section>\n<h2>%s</h2>\n", Html.escaped(run.name())));
    writeTexts("Machine and set-up", run.facts());
    writeTexts("Variables", run.variables());
    if (!run.command().isEmpty()) {
      out.append(
          ErrorText.of(
              "<h3>The command that repeats it</h3>\n<pre>%s</pre>\n",
              Html.escaped(run.command())));
    }
    if (!run.comments().isEmpty()) {
      out.append(
          ErrorText.of(
              "<h3>What the table says of it</h3>\n<pre>%s</pre>\n",
              Html.escaped(String.join("\n", run.comments()))));
    }
    out.append("</section>\n");
  }

  private void writeTexts(String caption, SortedMap<String, String> texts) {
    if (texts.isEmpty()) {
      return;
    }
    out.append(ErrorText.of("<table><caption>%s</caption>\n", caption));
    texts.forEach((name, value) ->
        out.append(
            ErrorText.of(
                "<tr><th scope=\"row\">%s</th><td>%s</td></tr>\n",
                Html.escaped(name), Html.escaped(value))));
    out.append("</table>\n");
  }
}
