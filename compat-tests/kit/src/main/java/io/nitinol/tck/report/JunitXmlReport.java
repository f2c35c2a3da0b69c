// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import io.nitinol.toolkit.file.OutputFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * Writes a run as the XML that build servers know from JUnit: a suite for each lane, a case for
 * each test, and one suite of the rules that no kit can test.
 */
public final class JunitXmlReport {
  private static final String PACKAGE = "nitinol.tck";

  private JunitXmlReport() {}

  /**
   * Writes the file.
   *
   * @throws IOException when it cannot be written
   */
  public static void write(KitReport report, Path file) throws IOException {
    StringWriter out = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuites");
      xml.writeAttribute("name", "nitinol tck " + Xml.clean(report.plugin()));
      xml.writeAttribute("tests", Long.toString(report.cases().size() + untestable().size()));
      xml.writeAttribute("failures", Long.toString(count(report.cases(), true)));
      xml.writeAttribute("errors", Long.toString(report.count(Outcome.INCONCLUSIVE)));
      xml.writeAttribute(
          "skipped", Long.toString(count(report.cases(), false) + untestable().size()));
      xml.writeAttribute("time", seconds(report.time()));
      String began = began(report);
      for (String lane : report.lanes()) {
        suite(
            xml,
            report,
            lane,
            began,
            report.cases().stream().filter(c -> c.lane().equals(lane)).toList());
      }
      untestable(xml, began);
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
    }
    OutputFile.write(file, out.toString());
  }

  private static void suite(
      XMLStreamWriter xml, KitReport report, String lane, String began, List<CaseResult> cases)
      throws XMLStreamException {
    Duration time = cases.stream().map(CaseResult::time).reduce(Duration.ZERO, Duration::plus);
    long inconclusive =
        cases.stream().filter(result -> result.outcome() == Outcome.INCONCLUSIVE).count();
    start(
        xml,
        report.plugin() + " " + lane,
        cases.size(),
        count(cases, true),
        inconclusive,
        count(cases, false));
    xml.writeAttribute("time", seconds(time));
    xml.writeAttribute("timestamp", began);
    xml.writeStartElement("properties");
    property(xml, "seed", Long.toString(report.seed()));
    property(xml, "mode", report.mode());
    property(xml, "complete", Boolean.toString(report.isComplete()));
    xml.writeEndElement();
    for (CaseResult result : cases) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", PACKAGE + "." + Xml.clean(lane).replace(' ', '.'));
      xml.writeAttribute("name", result.rule() + " " + result.test());
      xml.writeAttribute("time", seconds(result.time()));
      outcome(xml, report, result);
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void outcome(XMLStreamWriter xml, KitReport report, CaseResult result)
      throws XMLStreamException {
    switch (result.outcome()) {
      case PASSED -> {}
      case SKIPPED -> {
        xml.writeEmptyElement("skipped");
        xml.writeAttribute("message", Xml.clean(result.why()));
      }
      case INCONCLUSIVE -> {
        xml.writeStartElement("error");
        xml.writeAttribute("message", Xml.clean("inconclusive: " + result.why()));
        xml.writeAttribute("type", "inconclusive");
        List<String> text = new ArrayList<>();
        text.add("repeat: " + Repeat.command(report, result));
        text.addAll(result.trace());
        xml.writeCharacters(Xml.clean(String.join("\n", text)));
        xml.writeEndElement();
      }
      case FAILED, BLOCKED -> {
        xml.writeStartElement("failure");
        String blocked = result.outcome() == Outcome.BLOCKED ? "blocked by " : "";
        xml.writeAttribute("message", Xml.clean(blocked + result.broken() + ": " + result.why()));
        xml.writeAttribute("type", String.valueOf(result.broken()));
        List<String> text = new ArrayList<>();
        SpecRule rule = Spec.current().find(String.valueOf(result.broken()));
        if (rule != null) {
          text.add("the rule: " + rule.text());
        }
        text.add("repeat: " + Repeat.command(report, result));
        text.addAll(result.trace());
        xml.writeCharacters(Xml.clean(String.join("\n", text)));
        xml.writeEndElement();
      }
    }
  }

  private static List<SpecRule> untestable() {
    return Spec.current().rules().stream().filter(rule -> !rule.isTestable()).toList();
  }

  /** JUnit's timestamps have no fractions and no zone. */
  private static String began(KitReport report) {
    return LocalDateTime.now(ZoneOffset.UTC)
        .minus(report.time())
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
  }

  private static void untestable(XMLStreamWriter xml, String began) throws XMLStreamException {
    List<SpecRule> rules = untestable();
    start(xml, "rules that no kit can test", rules.size(), 0, 0, rules.size());
    xml.writeAttribute("time", "0.000");
    xml.writeAttribute("timestamp", began);
    for (SpecRule rule : rules) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", PACKAGE + ".untestable");
      xml.writeAttribute("name", rule.id());
      xml.writeEmptyElement("skipped");
      xml.writeAttribute("message", Xml.clean(String.valueOf(rule.untestable())));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void start(
      XMLStreamWriter xml, String name, long tests, long failed, long inconclusive, long skipped)
      throws XMLStreamException {
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", Xml.clean(name));
    xml.writeAttribute("tests", Long.toString(tests));
    xml.writeAttribute("failures", Long.toString(failed));
    xml.writeAttribute("errors", Long.toString(inconclusive));
    xml.writeAttribute("skipped", Long.toString(skipped));
  }

  private static void property(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeEmptyElement("property");
    xml.writeAttribute("name", name);
    xml.writeAttribute("value", value);
  }

  private static long count(List<CaseResult> cases, boolean failed) {
    return cases.stream()
        .filter(result -> failed ? result.broken() != null : result.outcome() == Outcome.SKIPPED)
        .count();
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
  }
}
