// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

/** How a rule's test ended. */
public enum Outcome {
  /** The plugin kept the rule. */
  PASSED("ok"),
  /** The plugin broke the rule. */
  FAILED("FAILED"),
  /** The plugin broke another rule on the way, so that this one could not be tested. */
  BLOCKED("blocked"),
  /**
   * The kit waited in vain, twice, and saw nothing that shows the plugin to be the reason: a
   * machine that is too busy looks the same.
   */
  INCONCLUSIVE("inconclusive"),
  /** The rule does not apply to this plugin, lane or machine. */
  SKIPPED("skipped");

  private final String label;

  Outcome(String label) {
    this.label = label;
  }

  /** Returns the word for tables. */
  public String label() {
    return label;
  }
}
