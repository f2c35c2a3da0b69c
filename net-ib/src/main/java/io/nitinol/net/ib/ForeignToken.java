// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/** The exception for a token that another plugin, or another instance of this one, has made. */
final class ForeignToken {
  private ForeignToken() {}

  /**
   * Returns the exception.
   *
   * @param what what was expected, such as {@code "send comm"}
   * @param token what came instead
   */
  static NetException of(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s %s does not come from this instance of the IB plugin",
            what, token == null ? "null" : "of " + token.getClass().getName()));
  }
}
