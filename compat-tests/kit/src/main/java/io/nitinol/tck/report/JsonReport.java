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
import java.util.Map;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a run as JSON, for programs, with everything that the other reports have. */
public final class JsonReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonReport() {}

  /**
   * Writes the file.
   *
   * @throws IOException when it cannot be written
   */
  public static void write(KitReport report, Path file) throws IOException {
    OutputFile.write(
        file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree(report)) + "\n");
  }

  static ObjectNode tree(KitReport report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("plugin", report.plugin());
    root.put("conforms", report.conforms() && report.isComplete());
    root.put("complete", report.isComplete());
    root.put("mode", report.mode());
    root.put("seed", report.seed());
    root.put("seconds", report.time().toNanos() / 1e9);
    ArrayNode lanes = root.putArray("lanes");
    report.lanes().forEach(lanes::add);
    ObjectNode counts = root.putObject("tests");
    for (Outcome outcome : Outcome.values()) {
      counts.put(word(outcome), report.count(outcome));
    }
    ArrayNode verdicts = root.putArray("verdicts");
    NcclVerdicts.lines(report).forEach(verdicts::add);
    ArrayNode rules = root.putArray("rules");
    for (Map.Entry<SpecRule, RuleResult> entry : report.rules().entrySet()) {
      rules.add(rule(entry.getKey(), entry.getValue()));
    }
    ArrayNode untestable = root.putArray("untestable");
    for (SpecRule rule : Spec.current().rules()) {
      if (rule.untestable() != null) {
        untestable.addObject().put("rule", rule.id()).put("why", rule.untestable());
      }
    }
    return root;
  }

  private static ObjectNode rule(SpecRule rule, RuleResult result) {
    ObjectNode node = MAPPER.createObjectNode();
    node.put("rule", rule.id());
    node.put("text", rule.text());
    node.put("relies", result.reliedOnBy());
    node.put("outcome", word(result.outcome()));
    node.put("why", result.why());
    ArrayNode tests = node.putArray("tests");
    for (CaseResult seen : result.own()) {
      ObjectNode test = tests.addObject();
      test.put("test", seen.test());
      test.put("lane", seen.lane());
      test.put("outcome", word(seen.outcome()));
      test.put("seconds", seen.time().toNanos() / 1e9);
      test.put("broken", seen.broken());
      test.put("why", seen.why());
      if (!seen.notes().isEmpty()) {
        ArrayNode notes = test.putArray("notes");
        seen.notes().forEach(notes::add);
      }
      if (!seen.trace().isEmpty()) {
        ArrayNode trace = test.putArray("trace");
        seen.trace().forEach(trace::add);
      }
    }
    return node;
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(java.util.Locale.ROOT);
  }
}
