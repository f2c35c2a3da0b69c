// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/** The answer to an operation that a plugin's version does not have. */
final class Unsupported {
  private Unsupported() {}

  /**
   * Makes the exception.
   *
   * @param plugin the plugin's name
   * @param since the first version that has the operation
   * @param deed what the operation does, behind "cannot"
   */
  static NetException by(String plugin, int since, String deed) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        plugin + " is older than version " + since + " and cannot " + deed);
  }
}
