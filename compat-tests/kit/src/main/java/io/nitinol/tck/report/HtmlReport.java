// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.NcclVerdicts;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.result.RuleResult;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a run as one page that needs no other file: the broken rules with their text, the
 * observation, the last calls and the command that repeats the test; then all rules.
 */
public final class HtmlReport {
  private static final String STYLE =
      """
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430 }
      h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
      table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #dde3ea; vertical-align: top }
      td:first-child { white-space: nowrap } td.time { text-align: right }
      pre { background: #f4f6f8; padding: .8rem; overflow-x: auto; font-size: 12.5px } code { background: #f4f6f8 }
      .ok { color: #1a7f37 } .failed { color: #b42318; font-weight: 600 } .blocked { color: #9a6700 } .skipped { color: #667085 } .inconclusive { color: #6941c6; font-weight: 600 }
      .rule { border-left: 4px solid #b42318; padding: .2rem 1rem; margin: 1.2rem 0; background: #fff8f7 }
      """;

  private HtmlReport() {}

  /**
   * Writes the page.
   *
   * @throws IOException when it cannot be written
   */
  public static void write(KitReport report, Path file) throws IOException {
    OutputFile.write(file, page(report));
  }

  static String page(KitReport report) {
    StringBuilder page = new StringBuilder();
    String title = Xml.escape(report.plugin()) + " and the contract";
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    page.append(title).append("</title><style>\n").append(STYLE).append("</style></head><body>\n");
    page.append("<h1>").append(title).append("</h1>\n<p>");
    page.append(Xml.escape(TableReport.summary(report))).append("</p>\n<p>Lanes: ");
    page.append(Xml.escape(String.join(", ", report.lanes()))).append("</p>\n<ul>");
    for (String verdict : NcclVerdicts.lines(report)) {
      page.append("<li>").append(Xml.escape(report.plugin() + " " + verdict)).append("\n");
    }
    page.append("</ul>\n");
    Map<SpecRule, RuleResult> rules = report.rules();
    rules.forEach((rule, result) -> {
      if (result.broken()) {
        broken(page, report, rule, result);
      }
    });
    notes(page, report);
    page.append("<h2>All rules</h2>\n<table><tr><th>rule<th>result<th>tests<th>ms<th>why</tr>\n");
    rules.forEach((rule, result) -> row(page, rule, result));
    page.append("</table>\n<h2>Rules that no kit can test</h2>\n<table>\n");
    for (SpecRule rule : Spec.current().rules()) {
      if (rule.untestable() != null) {
        page.append("<tr><td>").append(rule.id()).append("<td>");
        page.append(Xml.escape(rule.untestable())).append("<td>");
        page.append(markdown(rule.text())).append("</tr>\n");
      }
    }
    return page.append("</table>\n</body></html>\n").toString();
  }

  private static void broken(
      StringBuilder page, KitReport report, SpecRule rule, RuleResult result) {
    CaseResult seen = result.witness();
    page.append("<div class=\"rule\"><h2 id=\"").append(rule.id()).append("\">");
    page.append(rule.id()).append(" is broken</h2>\n<p>").append(markdown(rule.text()));
    page.append("</p>\n<p>Relied on by ").append(Xml.escape(result.reliedOnBy()));
    page.append("</p>\n<p><b>Seen</b> in <code>").append(Xml.escape(seen.test()));
    page.append("</code> on ").append(Xml.escape(seen.lane())).append(result.others());
    page.append(": ").append(Xml.escape(seen.why())).append("</p>\n<p><b>Repeat</b> with <code>");
    page.append(Xml.escape(Repeat.command(report, seen))).append("</code></p>\n");
    if (!seen.trace().isEmpty()) {
      page.append("<p><b>The calls before</b></p>\n<pre>");
      page.append(Xml.escape(String.join("\n", seen.trace()))).append("</pre>\n");
    }
    page.append("</div>\n");
  }

  private static void notes(StringBuilder page, KitReport report) {
    List<String> lines = new ArrayList<>();
    for (CaseResult result : report.cases()) {
      String where = result.rule() + " " + result.test() + " on " + result.lane() + ": ";
      result.notes().forEach(note -> lines.add(where + note));
      if (result.outcome() == Outcome.INCONCLUSIVE) {
        lines.add(
            where + "inconclusive, " + result.why() + "\n" + String.join("\n", result.trace()));
      }
    }
    if (!lines.isEmpty()) {
      page.append("<h2>Notes, which break no rule</h2>\n<ul>");
      lines.forEach(line -> page.append("<li><pre>").append(Xml.escape(line)).append("</pre>"));
      page.append("</ul>\n");
    }
  }

  private static void row(StringBuilder page, SpecRule rule, RuleResult result) {
    String label = result.outcome().label();
    page.append("<tr title=\"").append(Xml.escape(rule.text())).append("\"><td>");
    page.append(result.outcome() == Outcome.FAILED ? link(rule.id()) : rule.id());
    page.append("<td class=\"").append(label.toLowerCase(Locale.ROOT)).append("\">").append(label);
    page.append("<td>").append(result.own().size()).append("<td class=\"time\">");
    page.append(String.format(Locale.ROOT, "%.0f", result.time().toNanos() / 1e6)).append("<td>");
    page.append(Xml.escape(result.why())).append("</tr>\n");
  }

  private static String link(String id) {
    return "<a href=\"#" + id + "\">" + id + "</a>";
  }

  /** Renders the little Markdown that rules use: code between back quotes. */
  static String markdown(String text) {
    return Xml.escape(text).replaceAll("`([^`]+)`", "<code>$1</code>");
  }
}
