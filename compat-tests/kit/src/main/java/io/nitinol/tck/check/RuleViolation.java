// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.check;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The plugin broke a rule. If it is another rule than the one whose test is running, that test is
 * blocked by it.
 */
public final class RuleViolation extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String rule;
  private final long nanos;

  /**
   * Creates the exception for a rule and an observation.
   *
   * @param rule the id in SPEC.md
   * @param seen the plugin's behaviour and the expected one, in one line
   */
  public RuleViolation(String rule, String seen) {
    this(rule, seen, null);
  }

  /**
   * The same, with the exception that showed it. If that is one of this class, the observation is
   * as old as it.
   */
  public RuleViolation(String rule, String seen, @Nullable Throwable cause) {
    super(seen, cause);
    this.rule = rule;
    this.nanos = cause instanceof RuleViolation earlier ? earlier.nanos : System.nanoTime();
  }

  /** Returns the time of the observation, as {@link System#nanoTime}: later calls only clear up. */
  public long nanos() {
    return nanos;
  }

  /** Returns the id of the broken rule. */
  public String rule() {
    return rule;
  }
}
