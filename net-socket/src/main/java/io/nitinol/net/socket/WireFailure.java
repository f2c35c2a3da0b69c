// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;

/** What becomes of the problems of a stream in use: exceptions that name the peer and the work. */
final class WireFailure {
  private WireFailure() {}

  /**
   * Returns what to tell the caller.
   *
   * @param occupation what the stream or its comm was at
   */
  static NetException of(Wire wire, Exception problem, String occupation) {
    return switch (problem) {
      case NetException e -> e;
      case IOException e ->
          new NetException(
              ResultCode.REMOTE_ERROR,
              wire.label() + ": connection failed (" + e.getMessage() + ") " + occupation,
              e);
      // What the JDK says of a closed arena, and of one that is confined to another thread.
      case IllegalStateException e -> inaccessible(wire, e, occupation);
      case WrongThreadException e -> inaccessible(wire, e, occupation);
      default ->
          new NetException(
              ResultCode.INTERNAL_ERROR, wire.label() + ": " + problem + " " + occupation, problem);
    };
  }

  private static NetException inaccessible(Wire wire, Exception problem, String occupation) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        wire.label()
            + ": registered memory is not accessible any more ("
            + problem.getMessage()
            + ") "
            + occupation,
        problem);
  }

  /** Returns what to tell of memory that is needed and no longer registered. */
  static NetException deregistered(Wire wire, String occupation) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        wire.label() + ": memory was deregistered while in flight, " + occupation);
  }
}
