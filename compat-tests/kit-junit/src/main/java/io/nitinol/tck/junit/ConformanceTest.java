// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.nitinol.tck.Kit;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.KitRun;
import io.nitinol.tck.KitTest;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.AssertionFailedError;

/**
 * The conformance kit as a test class. An author subclasses it and names the plugin:
 *
 * {@snippet :
 * class MyNetTest extends ConformanceTest {
 *   @Override
 *   protected PluginUnderTest plugin() {
 *     return PluginUnderTest.of(MyNet.class);
 *   }
 * }
 * }
 *
 * <p>Every rule is a test by the rule's id on every lane (each version that the plugin offers, as
 * it is and through each adapter). Rules that do not apply, and those that bind a plugin and that
 * no kit can test, are shown as skipped with the reason.
 *
 * <p>The system properties {@code nitinol.tck.mode} (quick or full), {@code nitinol.tck.seed},
 * {@code nitinol.tck.rules}, {@code nitinol.tck.lanes} (lists with commas) and {@code
 * nitinol.tck.report} (a directory for the reports) say what is run: see {@link RunProperties}.
 */
public abstract class ConformanceTest {

  /** For subclasses. */
  protected ConformanceTest() {}

  /** Returns the plugin, with what its author says about it. Called once for a run. */
  protected abstract PluginUnderTest plugin();

  /** Returns what the run does: what the system properties say, quick where they say nothing. */
  protected KitOptions options() {
    return RunProperties.options();
  }

  /** Returns the rules as tests, lane by lane. JUnit closes the stream, which ends the run. */
  @TestFactory
  final Stream<DynamicNode> rules() {
    KitRun run = Kit.prepare(plugin(), options());
    Map<Lane, List<DynamicTest>> lanes = new LinkedHashMap<>();
    for (KitTest test : run.tests()) {
      lanes.computeIfAbsent(test.lane(), lane -> new ArrayList<>()).add(asJunit(run, test));
    }
    List<DynamicNode> nodes = new ArrayList<>();
    lanes.forEach((lane, tests) -> nodes.add(dynamicContainer(lane.label(), tests)));
    nodes.add(dynamicContainer("rules that no kit can test", untestable()));
    return nodes.stream()
        .onClose(() -> {
          run.close();
          RunProperties.report(run.report());
        });
  }

  private static DynamicTest asJunit(KitRun run, KitTest test) {
    return dynamicTest(
        test.rule() + " " + test.name(),
        () -> {
          CaseResult result = run.execute(test);
          switch (result.outcome()) {
            case PASSED -> {}
            case SKIPPED -> Assumptions.abort(result.why());
            case FAILED, BLOCKED -> throw new AssertionFailedError(message(run, result));
          }
        });
  }

  private static String message(KitRun run, CaseResult result) {
    StringBuilder message = new StringBuilder();
    String broken = String.valueOf(result.broken());
    message.append(broken).append(": ").append(result.why());
    if (!broken.equals(result.rule())) {
      message.append("\n(so that ").append(result.rule()).append(" cannot be looked at)");
    }
    SpecRule rule = Spec.current().find(broken);
    if (rule != null) {
      message.append("\nThe rule: ").append(rule.text());
    }
    message.append("\nRepeat: -Dnitinol.tck.rules=").append(result.rule());
    message.append(" -Dnitinol.tck.seed=").append(run.report().seed());
    if (!result.trace().isEmpty()) {
      message.append("\nThe calls before:");
      result.trace().forEach(call -> message.append("\n  ").append(call));
    }
    return message.toString();
  }

  private static List<DynamicTest> untestable() {
    List<DynamicTest> tests = new ArrayList<>();
    for (SpecRule rule : Spec.current().rules()) {
      String why = rule.untestable();
      if (why != null && rule.binds().equals("plugin")) {
        tests.add(dynamicTest(rule.id(), () -> Assumptions.abort(why)));
      }
    }
    return tests;
  }
}
