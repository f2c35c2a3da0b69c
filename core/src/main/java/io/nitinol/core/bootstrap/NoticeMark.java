// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The mark of a notice that is only what one rank sees of a failure, such as {@code [TIMEOUT about
 * rank 2]}. It stands before the sentence, for the programs of the other ranks; logs and reports
 * have the sentence without it. A mark further inside belongs to a sentence that quotes another
 * notice, and says nothing about the one that it stands in.
 *
 * @param result what kind of failure is seen
 * @param blames the rank that is blamed; -1 for no single one
 * @param ended whether no more than the end of a connection was seen
 * @param call the call in which it was seen; null for none
 */
@AnyThread
public record NoticeMark(ResultCode result, int blames, boolean ended, @Nullable String call) {
  /**
   * A notice that begins with a mark.
   *
   * @param mark the mark
   * @param message the sentence behind it
   */
  public record Marked(NoticeMark mark, String message) {}

  private static final Pattern MARK =
      Pattern.compile(
          "\\[([A-Z_]{1,32}) about (?:rank (\\d{1,9})|no single rank)(, an end)?(?: in ([^]]*))?] ");

  /** What {@link #reportedBy} puts before a notice, or nothing, and the mark and the sentence. */
  private static final Pattern NOTICE =
      Pattern.compile("(?:rank \\d+ reports: )?" + MARK + "(.*)", Pattern.DOTALL);

  /**
   * Returns the notice of this mark.
   *
   * @param message a sentence
   * @return the mark and the sentence
   */
  public String write(String message) {
    return ErrorText.of(
        "[%s about %s%s%s] %s",
        result,
        blames < 0 ? "no single rank" : "rank " + blames,
        ended ? ", an end" : "",
        call == null ? "" : " in " + call,
        message);
  }

  /**
   * Reads what {@link #write} has made, whether or not it has been told to others.
   *
   * @param text a notice
   * @return null for one without a mark
   */
  public static @Nullable Marked parse(String text) {
    Matcher matcher = NOTICE.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    ResultCode result = result(matcher.group(1));
    if (result == null) {
      return null;
    }
    String blamed = matcher.group(2);
    int blames = blamed == null ? -1 : Integer.parseInt(blamed);
    boolean ended = matcher.group(3) != null;
    return new Marked(new NoticeMark(result, blames, ended, matcher.group(4)), matcher.group(5));
  }

  private static @Nullable ResultCode result(String name) {
    for (ResultCode each : ResultCode.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /** Returns {@code notice} as {@code rank} tells it to all. */
  static String reportedBy(int rank, String notice) {
    return "rank " + rank + " reports: " + notice;
  }

  /**
   * Returns a text for readers.
   *
   * @param text with marks anywhere, also quoted ones
   * @return the same without them
   */
  public static String remove(String text) {
    return MARK.matcher(text).replaceAll("");
  }
}
