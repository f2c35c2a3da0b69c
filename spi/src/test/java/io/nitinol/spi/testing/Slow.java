// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks a test that {@code ./mvnw verify} skips and {@code .ci/run} runs, by {@code -Pslow}. Such a
 * test starts several processes, and {@code verify} has another test that goes the same way through
 * the code. With {@code -Dtest=} it always runs.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(Slow.Condition.class)
public @interface Slow {
  /** Why the others are skipped. */
  String REASON = "slow: .ci/run runs it, and so does -Pslow";

  /**
   * Whether slow tests run: with the profile {@code slow}, in a thorough run, and where Surefire's
   * property {@code test} names the tests.
   */
  boolean ON =
      Boolean.getBoolean("nitinol.slow") || Thorough.ON || System.getProperty("test") != null;

  /** Skips the tests where the profile is off. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return ON ? enabled("slow tests run") : disabled(REASON);
    }
  }
}
