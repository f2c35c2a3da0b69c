// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import com.google.errorprone.annotations.FormatMethod;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
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

  /**
   * Puts a failure of a file or a connection into the words of a sentence, without the name of a
   * Java class where the exception says anything else.
   *
   * @param failure what happened
   * @return the reason, such as {@code No space left on device}
   */
  public static String reason(Throwable failure) {
    if (failure instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason(); // its message begins with the file, which the sentence names
    }
    String message = failure.getMessage();
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "there is a file of that name already";
      case NotDirectoryException _ -> "Not a directory"; // as where a file is opened below another
      case FileSystemException _ -> failure.getClass().getSimpleName(); // its message is the file
      case IOException _ when message != null && !message.isBlank() -> message;
      default -> failure.toString();
    };
  }
}
