// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;

/** Turns the problems of a wire in use into exceptions that name the peer and the work. */
public final class WireFailure {
  private static final String CONNECTION = "connection failed";
  private static final String MEMORY = "registered memory is not accessible any more";

  private WireFailure() {}

  /**
   * Returns what to throw to the caller of the plugin.
   *
   * @param occupation what the stream or its comm was doing
   */
  public static NetException of(Wire wire, Exception problem, String occupation) {
    return switch (problem) {
      case NetException e -> e;
      case IOException e -> of(ResultCode.REMOTE_ERROR, CONNECTION, wire, e, occupation);
      // What the JDK throws for a closed arena, and for one that is confined to another thread.
      case IllegalStateException e -> of(ResultCode.INVALID_USAGE, MEMORY, wire, e, occupation);
      case WrongThreadException e -> of(ResultCode.INVALID_USAGE, MEMORY, wire, e, occupation);
      default ->
          new NetException(
              ResultCode.INTERNAL_ERROR,
              ErrorText.of("%s: %s %s", wire.label(), problem, occupation),
              problem);
    };
  }

  private static NetException of(
      ResultCode result, String what, Wire wire, Exception problem, String occupation) {
    return new NetException(
        result,
        ErrorText.of("%s: %s (%s) %s", wire.label(), what, problem.getMessage(), occupation),
        problem);
  }

  /** Returns what to throw where the memory of a message in flight is no longer registered. */
  public static NetException deregistered(Wire wire, String occupation) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of("%s: memory was deregistered while in flight, %s", wire.label(), occupation));
  }
}
