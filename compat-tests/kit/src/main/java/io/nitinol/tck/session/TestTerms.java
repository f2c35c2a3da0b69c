// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;

/**
 * On what terms one test runs.
 *
 * @param plugin the plugin under test
 * @param lane how it is reached
 * @param rule the id of the rule under test
 * @param full whether the run has time for large and many
 * @param seed what the test's random choices come from
 * @param patience how long it waits
 * @param trace where calls are written down
 * @param log what the plugin logged
 */
public record TestTerms(
    PluginUnderTest plugin,
    Lane lane,
    String rule,
    boolean full,
    long seed,
    Patience patience,
    CallTrace trace,
    KitLog log) {

  /** Returns the same terms on another lane. */
  public TestTerms on(Lane other) {
    return new TestTerms(plugin, other, rule, full, seed, patience, trace, log);
  }
}
