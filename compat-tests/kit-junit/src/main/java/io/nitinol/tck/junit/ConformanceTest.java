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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

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
 * it is and through each adapter). Rules that do not apply, and rules that no kit can test, are
 * shown as skipped, with the reason. A rule that could not be tested because the plugin broke
 * another one on the way is skipped, too: that other rule fails. The last test, the verdict, fails
 * where any rule is broken, or tests had no verdict in two attempts. It lists the rules that are
 * kept, those that are broken, and those that keep others from being tested.
 *
 * <p>The system properties {@code nitinol.tck.mode} (quick or full), {@code nitinol.tck.seed},
 * {@code nitinol.tck.rules}, {@code nitinol.tck.lanes} (lists with commas) and {@code
 * nitinol.tck.report} (a directory for the reports) choose what is run: see {@link RunProperties}.
 */
public abstract class ConformanceTest {

  /** For subclasses. */
  protected ConformanceTest() {}

  /** Returns the plugin, with what its author declares about it. Called once for a run. */
  protected abstract PluginUnderTest plugin();

  /**
   * Returns the options of the run: those of the system properties, and a quick run where none is
   * set.
   */
  protected KitOptions options() {
    return RunProperties.options();
  }

  /** Returns the rules as tests, lane by lane. JUnit closes the stream, which ends the run. */
  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD) // one test after the other: they share the plugin
  final Stream<DynamicNode> rules() {
    KitRun run = Kit.prepare(plugin(), options());
    Map<Lane, List<DynamicTest>> lanes = new LinkedHashMap<>();
    for (KitTest test : run.tests()) {
      lanes.computeIfAbsent(test.lane(), lane -> new ArrayList<>()).add(asJunit(run, test));
    }
    List<DynamicNode> nodes = new ArrayList<>();
    lanes.forEach((lane, tests) -> nodes.add(dynamicContainer(lane.label(), tests)));
    nodes.add(dynamicContainer("rules that no kit can test", untestable()));
    nodes.add(dynamicTest("verdict", () -> Verdict.check(run.report())));
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
            // Neither kept nor broken: the verdict fails, too, unless a rule is broken.
            case INCONCLUSIVE -> Assumptions.abort("inconclusive: " + result.why());
            // The rule in the way has a failure of its own; if nowhere else, then in the verdict.
            case BLOCKED ->
                Assumptions.abort("blocked by " + result.broken() + ": " + result.why());
            case FAILED -> throw new BrokenRule(result, run.report().seed());
          }
        });
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
