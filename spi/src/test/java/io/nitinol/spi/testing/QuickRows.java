// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Names the rows of a parameterized test that {@code ./mvnw verify} runs. The others repeat the
 * same scenario with another setting: they are skipped, and {@code -Pthorough} runs them and no
 * others, as it does with {@link Thorough} tests.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Tag(Thorough.TAG)
@ExtendWith(QuickRows.Choice.class)
public @interface QuickRows {
  /** Numbers of rows, the first being 1. */
  int[] value();

  /** Skips the rows that are not named, or in a thorough run those that are. */
  final class Choice implements BeforeEachCallback {
    private static final String QUICK = "runs without -Pthorough";
    private static final Pattern ROW = Pattern.compile("test-template-invocation:#(\\d+)\\]$");

    @Override
    public void beforeEach(ExtensionContext context) {
      int[] quick = context.getRequiredTestMethod().getAnnotation(QuickRows.class).value();
      int number = row(context);
      boolean isQuick = IntStream.of(quick).anyMatch(each -> each == number);
      if (isQuick == Thorough.ON) {
        throw new TestAbortedException(isQuick ? QUICK : Thorough.REASON);
      }
    }

    /** Returns the number of the row that runs, the first being 1. */
    static int row(ExtensionContext context) {
      Matcher row = ROW.matcher(context.getUniqueId());
      if (!row.find()) {
        throw new IllegalStateException(context.getUniqueId() + " is no row of a test");
      }
      return Integer.parseInt(row.group(1));
    }
  }
}
