// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions that several classes throw, with the codes of the contract. */
final class SwitchFailures {
  /** What the plugin calls itself. */
  static final String NAME = "Switch";

  private SwitchFailures() {}

  /** A number or buffer is out of its range; nothing has changed (NET-ERR-02, NET-ERR-03). */
  static NetException argument(String what) {
    return new NetException(ResultCode.INVALID_ARGUMENT, NAME + " was given " + what);
  }

  /** A token is null, dead, or was made by another plugin or instance (NET-ERR-02). */
  static NetException token(String expected, @Nullable Object token) {
    return argument(token + " where it expected " + expected + " of its own");
  }
}
