// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.bootstrap.NoticeMark;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * One rank's view of a failure that others see too, each from its own side. It goes to all ranks as
 * the text of a bootstrap notice.
 *
 * @param reporter the rank that sees it
 * @param blames the rank that it waits for or has lost, or the reporter itself where something went
 *     wrong in its own process; -1 where it can blame no single one
 * @param ended whether it sees no more than that a connection has ended, or has not come about in
 *     time, which the other end may explain
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
  public FailureReport(int reporter, ResultCode result, int blames, String message) {
    this(reporter, result, blames, false, null, message);
  }

  public FailureReport(
      int reporter, ResultCode result, int blames, @Nullable String call, String message) {
    this(reporter, result, blames, false, call, message);
  }

  /**
   * Returns whether the reporter waits for a rank that may wait for another one itself. A limit for
   * one connection is none such: the wait of the rank at its other end does not explain it.
   */
  boolean isWait() {
    return result == ResultCode.TIMEOUT && !ended;
  }

  /** Returns what to announce: a {@link NoticeMark} for {@link #parse}, then the message. */
  public String toText() {
    return new NoticeMark(result, blames, ended, call).write(message);
  }

  /** Returns the report in the text of a notice about {@code reporter}, or null. */
  public static @Nullable FailureReport parse(int reporter, String text) {
    NoticeMark.Marked marked = NoticeMark.parse(text);
    if (marked == null) {
      return null;
    }
    NoticeMark mark = marked.mark();
    return new FailureReport(
        reporter, mark.result(), mark.blames(), mark.ended(), mark.call(), marked.message());
  }

  /**
   * Returns whether a plugin reports no more than that the connection has ended. Then its innermost
   * I/O exception is one that the system's calls end with; what the peer sent wrongly, and what TLS
   * does not accept, have other classes or none.
   */
  public static boolean isEnd(NetException error) {
    IOException innermost = null;
    Throwable each = error;
    for (int i = 0; each != null && i < CommFailures.MOST_CAUSES; i++) { // they may go in a circle
      innermost = each instanceof IOException e ? e : innermost;
      each = each.getCause();
    }
    return innermost != null
        && (innermost.getClass().equals(IOException.class)
            || innermost instanceof EOFException
            || innermost instanceof SocketException
            || innermost instanceof ClosedChannelException);
  }
}
