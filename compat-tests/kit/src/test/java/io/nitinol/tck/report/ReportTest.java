// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** One run with every outcome, and a plugin whose messages hold what files cannot. */
class ReportTest {
  private static final String NASTY = "got <b> & \"7\" \u0001, expected 8";

  private static final KitReport REPORT =
      new KitReport(
          "Foo",
          List.of("net v5", "net v5->v12"),
          "quick",
          42,
          Duration.ofMillis(1500),
          List.of(
              result("NET-DEV-01", "net v5", Outcome.PASSED, null, ""),
              result("NET-DEV-01", "net v5->v12", Outcome.SKIPPED, null, "not here"),
              result("NET-SEND-08", "net v5", Outcome.FAILED, "NET-SEND-08", NASTY),
              result("NET-RECV-03", "net v5", Outcome.BLOCKED, "NET-SEND-08", "in the way"),
              result("NET-FLUSH-02", "net v5", Outcome.SKIPPED, null, "needs a moon"),
              result("NET-DEV-02", "net v5->v12", Outcome.BLOCKED, "NET-TEST-05", "hangs")));

  @TempDir private Path directory;

  @Test
  void theTableHasALineForEachRuleAndTheNumbers() {
    List<String> lines = TableReport.lines(REPORT);
    assertThat(lines)
        .anyMatch(line -> line.matches("NET-DEV-01 +ok +2 +40"))
        .anyMatch(line -> line.matches("NET-SEND-08 +FAILED +1 +20  .*\\\\u0001, expected 8"))
        .noneMatch(line -> line.chars().anyMatch(Character::isISOControl))
        .anyMatch(line -> line.matches("NET-RECV-03 +blocked +1 +20  by NET-SEND-08"))
        .anyMatch(line -> line.matches("NET-TEST-05 +FAILED +0 +0  hangs"))
        .anyMatch(line -> line.matches("NET-FLUSH-02 +skipped +1 +20  needs a moon"))
        .anyMatch(line -> line.matches(" +1  needs a moon"))
        .anyMatch(
            line -> line.startsWith("NET-SEND-08 is broken: Every length from 0 to `maxP2pBytes`"))
        .contains(
            "  repeat    nitinol tck Foo --rule NET-SEND-08 --lane 'net v5' --seed 42 --quick")
        .anyMatch(line -> line.matches("\\d+ rules no kit can test: nitinol tck --list"))
        .contains("  seen in   does on net v5: in the way")
        .contains("    isend(x) -> null")
        .contains(
            "repair first: NET-SEND-08, in the way of 1 test; NET-TEST-05, in the way of 1 test");
    assertThat(lines.getLast())
        .isEqualTo(
            "Foo BREAKS the contract: 1 rules kept, 2 broken, 2 blocked, 1 skipped; 4 tests on 2"
                + " lanes, 2 not run; quick, seed 42, 1.5 s");
  }

  @Test
  void aRunWithoutAFailureConforms() {
    KitReport good =
        new KitReport(
            "Foo", List.of("net v5"), "full", 1, Duration.ZERO, REPORT.cases().subList(0, 1));
    assertThat(good.conforms()).isTrue();
    assertThat(TableReport.summary(good)).startsWith("Foo conforms to the contract: 1 rules kept");
  }

  @Test
  void whatIsInconclusiveIsNeitherKeptNorBroken() throws Exception {
    KitReport open =
        new KitReport(
            "Foo",
            List.of("net v5"),
            "quick",
            1,
            Duration.ZERO,
            List.of(
                REPORT.cases().getFirst(),
                result("NET-SEND-08", "net v5", Outcome.INCONCLUSIVE, null, "60 s")
                    .after(result("NET-SEND-08", "net v5", Outcome.INCONCLUSIVE, null, "30 s"))));
    assertThat(open.conforms()).isFalse();
    assertThat(open.isInconclusive()).isTrue();
    assertThat(open.brokenRules()).isEmpty();
    assertThat(TableReport.lines(open))
        .anyMatch(line -> line.matches("NET-SEND-08 +inconclusive +1 +40  60 s"))
        .contains("NET-SEND-08 is inconclusive: no verdict in two attempts")
        .anyMatch(line -> line.matches(" +1  NET-SEND-08: tried twice: at first, 30 s"));
    assertThat(TableReport.summary(open))
        .startsWith(
            "Foo is not seen to break the contract: 1 rules kept, 0 broken, 0 blocked, 0 skipped,"
                + " 1 inconclusive;");
    Path file = directory.resolve("open");
    JunitXmlReport.write(open, file);
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(xml.getDocumentElement().getAttribute("errors")).isEqualTo("1");
    assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("0");
    assertThat(((Element) xml.getElementsByTagName("error").item(0)).getAttribute("message"))
        .isEqualTo("inconclusive: 60 s");
    JsonReport.write(open, file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("conforms").asBoolean()).isFalse();
    assertThat(json.get("tests").get("inconclusive").asInt()).isEqualTo(1);
    HtmlReport.write(open, file);
    assertThat(Files.readString(file)).contains("class=\"inconclusive\"", "inconclusive, 60 s");
  }

  @Test
  void aRunThatWasCutShortSaysSo() {
    KitReport cut =
        new KitReport(
            "Foo",
            List.of("net v5"),
            "quick",
            1,
            Duration.ZERO,
            REPORT.cases().subList(0, 1),
            "Foo",
            "",
            9,
            false);
    assertThat(cut.isComplete()).isFalse();
    assertThat(TableReport.cutShort(cut))
        .last()
        .asString()
        .startsWith("ended after 1 of 9 tests: Foo was not tested to the end against the contract");
  }

  @Test
  void theCommandThatRepeatsATestCanBePasted() {
    KitReport run =
        new KitReport(
            "Foo",
            REPORT.lanes(),
            "full",
            42,
            Duration.ZERO,
            REPORT.cases(),
            "my net's.jar",
            " --within-process",
            6,
            false);
    assertThat(TableReport.lines(run))
        .contains(
            "  repeat    nitinol tck 'my net'\\''s.jar' --rule NET-SEND-08 --lane 'net v5' --seed 42"
                + " --full --within-process");
  }

  @Test
  void theXmlIsAJunitReport() throws Exception {
    Path file = directory.resolve("tck.xml");
    JunitXmlReport.write(REPORT, file);
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    Element suites = xml.getDocumentElement();
    assertThat(suites.getAttribute("failures")).isEqualTo("3");
    assertThat(Integer.parseInt(suites.getAttribute("tests"))).isGreaterThan(6);
    Element suite = (Element) xml.getElementsByTagName("testsuite").item(0);
    assertThat(suite.getAttribute("name")).isEqualTo("Foo net v5");
    assertThat(suite.getAttribute("tests")).isEqualTo("4");
    assertThat(suite.getAttribute("failures")).isEqualTo("2");
    assertThat(suite.getAttribute("skipped")).isEqualTo("1");
    assertThat(suite.getAttribute("timestamp")).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:]{8}");
    NodeList failures = xml.getElementsByTagName("failure");
    assertThat(failures.getLength()).isEqualTo(3);
    assertThat(((Element) failures.item(0)).getAttribute("message"))
        .isEqualTo("NET-SEND-08: got <b> & \"7\" \uFFFD, expected 8");
    assertThat(failures.item(0).getTextContent())
        .contains("the rule: Every length", "--seed 42", "isend(x) -> null");
  }

  @Test
  void theJsonHasRulesTestsAndTraces() throws Exception {
    Path file = directory.resolve("tck.json");
    JsonReport.write(REPORT, file);
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    assertThat(json.get("conforms").asBoolean()).isFalse();
    assertThat(json.get("tests").get("blocked").asInt()).isEqualTo(2);
    JsonNode sent = null;
    for (JsonNode rule : json.get("rules")) {
      if (rule.get("rule").asString().equals("NET-SEND-08")) {
        sent = rule;
      }
    }
    assertThat(sent).isNotNull();
    assertThat(sent.get("outcome").asString()).isEqualTo("failed");
    assertThat(sent.get("tests").get(0).get("why").asString()).isEqualTo(NASTY);
    assertThat(sent.get("tests").get(0).get("trace").get(0).asString())
        .isEqualTo("isend(x) -> null");
  }

  @Test
  void thePageShowsTheBrokenRuleAndNothingThatAPluginCouldInject() throws Exception {
    Path file = directory.resolve("tck.html");
    HtmlReport.write(REPORT, file);
    String page = Files.readString(file);
    assertThat(page)
        .contains("NET-SEND-08 is broken")
        .contains("got &lt;b&gt; &amp; &quot;7&quot; \uFFFD, expected 8")
        .contains("isend(x) -&gt; null")
        .contains("--seed 42")
        .doesNotContain("<b> &");
  }

  private static CaseResult result(
      String rule, String lane, Outcome outcome, @Nullable String broken, String why) {
    return new CaseResult(
        rule,
        "does",
        lane,
        outcome,
        Duration.ofMillis(20),
        broken,
        why,
        outcome == Outcome.FAILED ? List.of("isend(x) -> null") : List.of(),
        7);
  }
}
