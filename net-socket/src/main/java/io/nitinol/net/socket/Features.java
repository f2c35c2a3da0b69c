// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/** What both sides of a comm have to agree about beside its streams. */
final class Features {
  private Features() {}

  /**
   * Returns the failure of a comm whose sides want different things.
   *
   * @param peer the other side for the message
   * @param theirs the flags of its {@link Hello} or {@link Answer}
   * @param ours the flags of this side
   */
  static NetException differ(String peer, int theirs, int ours) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        peer
            + " wants its connections "
            + words(theirs)
            + " and this side wants them "
            + words(ours)
            + ": NITINOL_SOCKET_TLS has to be the same on all ranks");
  }

  private static String words(int flags) {
    return switch (flags) {
      case 0 -> "plain";
      case Hello.TLS -> "encrypted";
      default -> "with unknown features (flags 0x" + Integer.toHexString(flags) + ")";
    };
  }
}
