// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;

/**
 * The terms on which one test runs.
 *
 * @param plugin the plugin under test
 * @param lane the lane on which it is called
 * @param rule the id of the rule under test
 * @param full whether the run is the long one
 * @param seed the seed of the test's random choices
 * @param patience how long it waits
 * @param trace the trace of the calls
 * @param log the plugin's log
 */
public record TestTerms(
    PluginUnderTest plugin,
    Lane lane,
    String rule,
    boolean full,
    long seed,
    KitPatience patience,
    CallTrace trace,
    KitLog log) {

  /** Returns the same terms on another lane. */
  public TestTerms on(Lane other) {
    return new TestTerms(plugin, other, rule, full, seed, patience, trace, log);
  }
}
