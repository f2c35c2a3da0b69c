// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import java.util.List;

/** Runs the conformance kit. */
public final class Kit {
  private Kit() {}

  /**
   * Prepares a run, whose tests the caller executes one by one, and which the caller closes.
   *
   * @throws IllegalArgumentException when the options name a lane that the plugin does not have
   */
  public static KitRun prepare(PluginUnderTest plugin, KitOptions options) {
    return new KitRun(plugin, options);
  }

  /** Runs all tests that the options choose. */
  public static KitReport run(PluginUnderTest plugin, KitOptions options, KitListener listener) {
    try (KitRun run = prepare(plugin, options)) {
      return execute(run, listener);
    }
  }

  /** Executes all tests of a run, which stays open. */
  public static KitReport execute(KitRun run, KitListener listener) {
    List<KitTest> tests = run.tests();
    for (int i = 0; i < tests.size(); i++) {
      listener.starting(tests.get(i), i, tests.size());
      CaseResult result = run.execute(tests.get(i));
      listener.finished(result, i, tests.size());
    }
    return run.report();
  }
}
