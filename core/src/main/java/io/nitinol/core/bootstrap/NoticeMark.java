// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark of a notice that is only what one rank sees of a failure, such as {@code [TIMEOUT about
 * rank 2]}. It stands before the sentence, for the programs of the other ranks; logs and reports
 * have the sentence without it.
 */
@AnyThread
public final class NoticeMark {
  /**
   * Its regular expression. The groups are the result, the rank that is blamed, whether an end was
   * seen, and the call.
   */
  public static final String FORM =
      "\\[([A-Z_]{1,32}) about (?:rank (\\d{1,9})|no single rank)(, an end)?(?: in ([^]]*))?] ";

  private static final Pattern PATTERN = Pattern.compile(FORM);

  private NoticeMark() {}

  /** Returns whether {@code text} has a mark. */
  static boolean isIn(String text) {
    return PATTERN.matcher(text).find();
  }

  /** Returns the rank that {@code text} blames by its mark; -1 for no single one, or no mark. */
  static int blamed(String text) {
    Matcher mark = PATTERN.matcher(text);
    String rank = mark.find() ? mark.group(2) : null;
    return rank == null ? -1 : Integer.parseInt(rank);
  }

  /** Returns {@code text} without its marks. */
  public static String remove(String text) {
    return PATTERN.matcher(text).replaceAll("");
  }
}
