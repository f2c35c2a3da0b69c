// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Says how many rows of a parameterized test {@code ./mvnw verify} runs, from the first on. The
 * others are {@link Slow}. Where the test has {@link QuickRows} as well, {@code verify} runs the
 * rows that both name.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ExtendWith(FirstRows.Choice.class)
public @interface FirstRows {
  /** How many, at least 1. */
  int value();

  /** Skips the other rows where slow tests do not run. */
  final class Choice implements BeforeEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
      int first = context.getRequiredTestMethod().getAnnotation(FirstRows.class).value();
      if (!Slow.ON && QuickRows.Choice.row(context) > first) {
        throw new TestAbortedException(Slow.REASON);
      }
    }
  }
}
