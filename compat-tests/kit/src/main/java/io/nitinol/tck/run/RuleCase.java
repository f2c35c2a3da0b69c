// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.plugin.Kind;
import java.lang.reflect.Method;

/**
 * One test of one rule.
 *
 * @param terms what its annotation says
 * @param kind what it tests
 * @param method the test
 */
public record RuleCase(Rule terms, Kind kind, Method method) {

  /** Returns the id of the rule. */
  public String rule() {
    return terms.value();
  }

  /** Returns the name of the test. */
  public String name() {
    return method.getName();
  }
}
