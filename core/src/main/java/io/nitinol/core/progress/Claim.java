// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.spi.ResultCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What one rank sees of a failure that others see too, each from its own side. It goes to all ranks
 * as the text of a notice.
 *
 * @param reporter the rank that sees it
 * @param blames the rank that it waits for or has lost; -1 where it can blame no single one
 * @param call the collective that it waits in, or null; the same text on all ranks that called the
 *     same
 * @param message a sentence that is as true on every other rank
 */
record Claim(int reporter, ResultCode result, int blames, @Nullable String call, String message) {
  private static final Pattern TEXT =
      Pattern.compile(
          "\\[claim (\\d{1,3}) about (-?\\d{1,9})(?: in ([^]]*))?] (.*)", Pattern.DOTALL);

  Claim(int reporter, ResultCode result, int blames, String message) {
    this(reporter, result, blames, null, message);
  }

  /** Returns what to announce. */
  String toText() {
    return "[claim "
        + result.code()
        + " about "
        + blames
        + (call == null ? "" : " in " + call)
        + "] "
        + message;
  }

  /** Returns the claim in the text of a notice about {@code reporter}, or null. */
  static @Nullable Claim parse(int reporter, String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.find()) {
      return null;
    }
    ResultCode result = ResultCode.ofCode(Integer.parseInt(matcher.group(1)));
    int blames = Integer.parseInt(matcher.group(2));
    if (result == null || blames < -1) {
      return null;
    }
    return new Claim(reporter, result, blames, matcher.group(3), matcher.group(4));
  }
}
