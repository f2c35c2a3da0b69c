// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The exceptions that several classes throw, each with the code that the contract asks for. */
final class MemoryFailures {
  private MemoryFailures() {}

  /** A number or buffer is out of its range; nothing has changed (NET-ERR-02, NET-ERR-03). */
  static NetException argument(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, "SampleMemory was given " + what);
  }

  /** A token is null, dead, or was made by somebody else (NET-ERR-02). */
  static NetException token(String expected, @Nullable Object token) {
    return argument(token + " where it expected " + expected + " of its own");
  }

  /** The peer is gone or never was there. */
  static NetException remote(String what) {
    return new NetException(ResultCode.REMOTE_ERROR, what);
  }

  /** A bound of the plugin's own has passed. */
  static NetException timeout(String what) {
    return new NetException(ResultCode.TIMEOUT, what);
  }

  /** The users, or the members of a group, do not agree. */
  static NetException usage(String what) {
    return new NetException(ResultCode.INVALID_USAGE, what);
  }

  /** The operating system refused. */
  static NetException system(String what, IOException cause) {
    return new NetException(ResultCode.SYSTEM_ERROR, what + ": " + cause, cause);
  }
}
