// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.RelatedCalls;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.io.Serial;
import org.opentest4j.AssertionFailedError;

/**
 * A test found a rule broken. The message is one line, since build tools repeat it in their
 * summaries; the text of the exception has the rest. There is no stack trace: it would show the
 * kit's own methods and nothing of the plugin.
 */
final class BrokenRule extends AssertionFailedError {
  @Serial private static final long serialVersionUID = 1L;
  private static final int CALLS = 12;

  private final String details;

  /**
   * Describes how a rule was broken.
   *
   * @param result the result of the test that shows it
   * @param seed what repeats the run
   */
  BrokenRule(CaseResult result, long seed) {
    super(result.broken() + ": " + result.why());
    details = details(result, seed);
    setStackTrace(new StackTraceElement[0]);
  }

  private static String details(CaseResult result, long seed) {
    StringBuilder text = new StringBuilder();
    SpecRule rule = Spec.current().find(String.valueOf(result.broken()));
    if (rule != null) {
      text.append("\nThe rule: ").append(rule.text());
    }
    text.append("\nSeen by ").append(result.test()).append(" on ").append(result.lane());
    text.append("\nRepeat: -Dnitinol.tck.rules=").append(result.rule());
    text.append(" -Dnitinol.tck.seed=").append(seed);
    if (!result.trace().isEmpty()) {
      text.append("\nThe last calls:");
      RelatedCalls.chooseWithStacks(result.trace(), CALLS)
          .forEach(call -> text.append("\n  ").append(call));
    }
    return text.toString();
  }

  /** Returns the message and the details, without the name of the class. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // the message stays one line
  public String toString() {
    return getMessage() + details;
  }
}
