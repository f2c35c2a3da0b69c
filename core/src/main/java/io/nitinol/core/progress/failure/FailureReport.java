// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.bootstrap.NoticeMark;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One rank's view of a failure that others see too, each from its own side. It goes to all ranks as
 * the text of a bootstrap notice.
 *
 * @param reporter the rank that sees it
 * @param blames the rank that it waits for or has lost; -1 where it can blame no single one
 * @param ended whether it sees no more than the end of a connection, which the other end may
 *     explain
 * @param call the collective that it waits in, or null; the same text on all ranks that called the
 *     same
 * @param message a sentence that is as true on every other rank
 */
public record FailureReport(
    int reporter,
    ResultCode result,
    int blames,
    boolean ended,
    @Nullable String call,
    String message) {
  /** A {@link NoticeMark} and the message. */
  private static final Pattern TEXT = Pattern.compile(NoticeMark.FORM + "(.*)", Pattern.DOTALL);

  public FailureReport(int reporter, ResultCode result, int blames, String message) {
    this(reporter, result, blames, false, null, message);
  }

  public FailureReport(
      int reporter, ResultCode result, int blames, @Nullable String call, String message) {
    this(reporter, result, blames, false, call, message);
  }

  /** Returns what to announce: a {@link NoticeMark} for {@link #parse}, then the message. */
  public String toText() {
    return ErrorText.of(
        "[%s about %s%s%s] %s",
        result,
        blames < 0 ? "no single rank" : "rank " + blames,
        ended ? ", an end" : "",
        call == null ? "" : " in " + call,
        message);
  }

  /** Returns the report in the text of a notice about {@code reporter}, or null. */
  public static @Nullable FailureReport parse(int reporter, String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.find()) {
      return null;
    }
    ResultCode result = result(matcher.group(1));
    if (result == null) {
      return null;
    }
    String blamed = matcher.group(2);
    int blames = blamed == null ? -1 : Integer.parseInt(blamed);
    boolean ended = matcher.group(3) != null;
    return new FailureReport(reporter, result, blames, ended, matcher.group(4), matcher.group(5));
  }

  private static @Nullable ResultCode result(String name) {
    for (ResultCode each : ResultCode.values()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }
}
