// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import com.google.errorprone.annotations.FormatMethod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The text of errors and warnings as one readable format string.
 *
 * <p>For example {@code ErrorText.of("rank %d does not answer within %s", rank, limit)}. Formatting
 * allocates and is slow, so this is for cold paths only: an exception that is about to be thrown, a
 * line that is about to be logged. Safe for any thread.
 */
public final class ErrorText {
  private ErrorText() {}

  /**
   * Formats a text in the same way on every machine, whatever the user's locale is.
   *
   * @param format as {@link String#format(Locale, String, Object...)} takes it
   * @param arguments the values of the format, in order; null becomes {@code "null"}
   * @return the text
   * @throws java.util.IllegalFormatException if the arguments do not fit the format
   */
  @FormatMethod
  public static String of(String format, @Nullable Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
