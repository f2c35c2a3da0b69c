// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The plugin broke a rule. The rule need not be the one whose test is running: then that test could
 * not be finished, and says which rule is in its way.
 */
public final class RuleViolation extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String rule;
  private final long nanos = System.nanoTime();

  /**
   * Names the rule and what was seen.
   *
   * @param rule the id in SPEC.md
   * @param seen what the plugin did, in one line that says what was expected
   */
  public RuleViolation(String rule, String seen) {
    this(rule, seen, null);
  }

  /** The same, with the exception that showed it. */
  public RuleViolation(String rule, String seen, @Nullable Throwable cause) {
    super(seen, cause);
    this.rule = rule;
  }

  /** Returns when it was seen, as {@link System#nanoTime}: what follows is clearing up. */
  public long nanos() {
    return nanos;
  }

  /** Returns the id of the broken rule. */
  public String rule() {
    return rule;
  }
}
