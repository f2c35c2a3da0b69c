// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.check.Placement;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.run.RuleCase;
import io.nitinol.tck.session.KitPatience;

/** One test of one rule on one lane of a run. */
public final class KitTest {
  private final RuleCase test;
  private final Lane lane;
  private final long seconds;

  KitTest(RuleCase test, Lane lane, KitPatience patience) {
    this.test = test;
    this.lane = lane;
    this.seconds = patience.scaled(test.terms().seconds());
  }

  /** Returns the id of the rule. */
  public String rule() {
    return test.rule();
  }

  /** Returns the name of the test. */
  public String name() {
    return test.name();
  }

  /** Returns the lane. */
  public Lane lane() {
    return lane;
  }

  /** Returns how long the test may take, in seconds. */
  public long seconds() {
    return seconds;
  }

  /** Returns whether the test waits in a process of its own, beside the others. */
  boolean waits() {
    return test.terms().in() == Placement.PROCESS_WAITING;
  }

  /** Returns whether {@code result} is one of this test. */
  public boolean isOf(CaseResult result) {
    return result.rule().equals(rule())
        && result.test().equals(name())
        && result.lane().equals(lane.label());
  }

  /** Returns id, name and lane. */
  @Override
  public String toString() {
    return rule() + " " + name() + " [" + lane + "]";
  }

  RuleCase test() {
    return test;
  }
}
