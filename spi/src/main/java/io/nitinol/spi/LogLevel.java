// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

/** The importance of a log line; mirrors {@code ncclDebugLogLevel}, whose numbers it carries. */
public enum LogLevel {
  /** Nothing is logged. */
  NONE(0),
  /** The version line only. */
  VERSION(1),
  /** Something is wrong and a person should know. */
  WARN(2),
  /** Reports what was found, chosen and connected. */
  INFO(3),
  /** The communicator is being torn down. */
  ABORT(4),
  /** Every step; for debugging Nitinol or a plugin. */
  TRACE(5);

  private final int code;

  LogLevel(int code) {
    this.code = code;
  }

  /** {@return the number NCCL gives this level} */
  public int code() {
    return code;
  }
}
