// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.rules.SequenceRules;
import io.nitinol.tck.rules.SmokeRules;
import java.lang.reflect.Method;
import java.util.List;

/**
 * One test of one rule.
 *
 * @param terms its annotation
 * @param kind the kind of plugin that it tests
 * @param method the test
 */
public record RuleCase(Rule terms, Kind kind, Method method) {
  private static final List<String> BEFORE_MESSAGES =
      List.of(
          "SEL-",
          "SET-",
          "NET-INIT-",
          "NET-DEV-",
          "NET-CONN-",
          "NET-V4-",
          "NET-V5-",
          "COLL-0",
          "DEV-",
          "DEVMEM-0");

  /** Returns the id of the rule. */
  public String rule() {
    return terms.value();
  }

  /** Returns whether this is the test that all others build on. */
  boolean isSmoke() {
    return method.getDeclaringClass() == SmokeRules.class;
  }

  /** Returns whether the test goes on for a time of its own in a full run. */
  public boolean goesOnInFull() {
    return method.getDeclaringClass() == SequenceRules.class;
  }

  /**
   * Returns whether the test is useful even if no connection and no message gets through: it is
   * about earlier calls, or about connecting itself.
   */
  boolean isBeforeMessages() {
    return BEFORE_MESSAGES.stream().anyMatch(rule()::startsWith);
  }

  /** Returns the name of the test. */
  public String name() {
    return method.getName();
  }
}
