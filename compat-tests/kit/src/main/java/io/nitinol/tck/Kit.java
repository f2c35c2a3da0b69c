// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Runs the conformance kit. */
public final class Kit {
  private Kit() {}

  /**
   * Prepares a run, whose tests the caller executes one by one, and which the caller closes.
   *
   * @throws IllegalArgumentException when the options name a lane that the plugin does not have
   */
  public static KitRun prepare(PluginUnderTest plugin, KitOptions options) {
    return continued(plugin, options, List.of(), Set.of());
  }

  /**
   * Prepares the rest of a run that another process began. Tests that have a result are not
   * executed again; the tests after them know those results.
   *
   * @param before the results so far, which the report does not repeat
   * @param impatient the labels of lanes on which the kit has waited in vain
   * @throws IllegalArgumentException when the options name a lane that the plugin does not have
   */
  public static KitRun continued(
      PluginUnderTest plugin, KitOptions options, List<CaseResult> before, Set<String> impatient) {
    return new KitRun(plugin, options, before, impatient);
  }

  /** Runs all tests that the options choose. */
  public static KitReport run(PluginUnderTest plugin, KitOptions options, KitListener listener) {
    try (KitRun run = prepare(plugin, options)) {
      return execute(run, listener);
    }
  }

  /** Executes all tests of a run, which stays open. */
  public static KitReport execute(KitRun run, KitListener listener) {
    return execute(run, listener, () -> false);
  }

  /**
   * The same, unless another process is to go on.
   *
   * @param enough asked after each test; true leaves the tests that are left to others
   */
  public static KitReport execute(KitRun run, KitListener listener, BooleanSupplier enough) {
    List<KitTest> tests = run.tests();
    for (int i = 0; i < tests.size(); i++) {
      listener.starting(tests.get(i), i, tests.size());
      CaseResult result = run.execute(tests.get(i), listener::waiting);
      listener.finished(result, i, tests.size());
      if (i + 1 < tests.size() && enough.getAsBoolean()) {
        break;
      }
    }
    return run.report();
  }
}
