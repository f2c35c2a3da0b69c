// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises that a failure came from a lack of file descriptors, and advises how to raise their
 * number. The JVM reports the lack from wherever it happens, even from a class initializer, as a
 * failure of another kind.
 */
public final class OpenFiles {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Pattern LIMIT = Pattern.compile("Max open files +(\\d+) .*");

  /** EMFILE, as the C library, the JVM's launcher of processes and older JDKs spell it. */
  private static final Pattern EXHAUSTED =
      Pattern.compile("Too many open files|\\berror[:=] ?24\\b");

  /** Longer chains of causes than this are not followed; one may be a circle. */
  private static final int MOST_CAUSES = 20;

  private OpenFiles() {}

  /** Returns whether there were no file descriptors left, as far as {@code failure} tells. */
  public static boolean ranOut(Throwable failure) {
    Throwable each = failure;
    for (int i = 0; each != null && i < MOST_CAUSES; i++) {
      if (each.getMessage() != null && EXHAUSTED.matcher(each.getMessage()).find()) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  /** Returns what to say where nothing else is known of the failure. */
  public static String sentence() {
    return "there are too many open files for the limit of this process" + advice();
  }

  /** Returns {@code message}, with advice behind it where it speaks of too many open files. */
  public static String advise(String message) {
    return EXHAUSTED.matcher(message).find() && !message.contains("ulimit -n")
        ? message + advice()
        : message;
  }

  private static String advice() {
    return "; raise the limit of open files (ulimit -n" + limit() + "), or start fewer ranks";
  }

  private static String limit() {
    try {
      List<String> lines = Files.readAllLines(LIMITS);
      for (String line : lines) {
        Matcher matcher = LIMIT.matcher(line);
        if (matcher.matches()) {
          return ", now " + matcher.group(1);
        }
      }
    } catch (IOException | LinkageError e) {
      return ""; // where there is no descriptor left there is none for this file either
    }
    return "";
  }
}
