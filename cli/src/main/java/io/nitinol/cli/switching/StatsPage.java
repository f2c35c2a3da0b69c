// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.switching;

import io.nitinol.cli.page.Html;
import io.nitinol.net.collnet.node.SwitchStats;
import io.nitinol.toolkit.SizeText;
import java.time.Duration;
import java.util.Locale;

/** A switch's statistics as a page of HTML, which loads itself again every two seconds. */
final class StatsPage {
  /** More groups than this are only counted: the page is read by people. */
  private static final int MOST_GROUPS = 200;

  private final StringBuilder text = new StringBuilder();

  private StatsPage() {}

  /**
   * Returns the page.
   *
   * @param name what the switch is called: its address
   */
  static String of(SwitchStats stats, String name) {
    StatsPage page = new StatsPage();
    page.head(name);
    page.totals(stats);
    page.groups(stats);
    page.text.append("<p><a href=\"/metrics\">Prometheus' text</a></p>\n").append(Html.end());
    return page.text.toString();
  }

  private void head(String name) {
    text.append(
        Html.begin(
            "nitinol switch " + name,
            """
            <meta http-equiv="refresh" content="2">
            <style>
            th, td { text-align: right }
            th:first-child, td:first-child { text-align: left }
            </style>
            """));
  }

  private void totals(SwitchStats stats) {
    text.append("<table>\n");
    row("up", time(stats.upNanos()));
    row("groups now", Integer.toString(stats.groups().size()));
    row("groups admitted", Long.toString(stats.groupsAdmitted()));
    row("joins refused", Long.toString(stats.refusals()));
    row("groups failed", Long.toString(stats.failures()));
    row("operations", Long.toString(stats.operations()));
    row("segments", Long.toString(stats.segments()));
    row("reduced", SizeText.ofChanging(stats.reducedBytes()));
    row("received", SizeText.ofChanging(stats.bytesIn()));
    row("sent", SizeText.ofChanging(stats.bytesOut()));
    row(
        "memory",
        SizeText.ofChanging(stats.memoryBytes())
            + " of "
            + SizeText.ofChanging(stats.memoryLimitBytes()));
    text.append("</table>\n");
  }

  private void row(String what, String value) {
    text.append("<tr><td>%s</td><td>%s</td></tr>\n".formatted(what, Html.escaped(value)));
  }

  private void groups(SwitchStats stats) {
    if (stats.groups().isEmpty()) {
      text.append("<p>No groups.</p>\n");
      return;
    }
    text.append(
        "<table>\n<tr><th>group</th><th>state</th><th>ranks here</th><th>of</th><th>children</th>"
            + "<th>operations</th><th>segments</th><th>received</th><th>sent</th><th>memory</th>"
            + "</tr>\n");
    stats.groups().stream()
        .limit(MOST_GROUPS)
        .forEach(group ->
            text.append(
                ("<tr><td>%s</td><td>%s</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>"
                        + "<td>%s</td><td>%s</td><td>%s</td></tr>\n")
                    .formatted(
                        Html.escaped(group.id()),
                        Html.escaped(group.state()),
                        group.ranksHere(),
                        group.nranks(),
                        group.children(),
                        group.operations(),
                        group.segments(),
                        SizeText.ofChanging(group.bytesIn()),
                        SizeText.ofChanging(group.bytesOut()),
                        SizeText.ofChanging(group.memoryBytes()))));
    text.append("</table>\n");
    if (stats.groups().size() > MOST_GROUPS) {
      text.append("<p>And %d more.</p>\n".formatted(stats.groups().size() - MOST_GROUPS));
    }
  }

  private static String time(long nanos) {
    Duration time = Duration.ofNanos(nanos);
    return String.format(
        Locale.ROOT,
        "%d d %02d:%02d:%02d",
        time.toDays(),
        time.toHoursPart(),
        time.toMinutesPart(),
        time.toSecondsPart());
  }
}
