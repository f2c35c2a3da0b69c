// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.function.IntFunction;

/**
 * What both sides of a comm have to want alike. Each says what it wants, covered by its proof;
 * where they differ both sides fail, and each says how.
 *
 * @param flags what this side wants, 16 bits whose meaning is the plugin's own
 * @param variable the variable by which users choose
 * @param words how messages call connections that want certain flags, such as {@code encrypted};
 *     asked for any number, since the peer may be newer
 */
public record Features(int flags, String variable, IntFunction<String> words) {
  /** Of a plugin that has no such choice. */
  public static final Features NONE =
      new Features(
          0,
          "the version of the network plugin",
          flags -> flags == 0 ? "plain" : "with unknown features (flags 0x%x)".formatted(flags));

  /**
   * Returns the failure of a comm whose sides want different things.
   *
   * @param peer the other side for the message
   * @param theirs what its hello wants
   */
  NetException differ(String peer, int theirs) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s wants its connections %s and this side wants them %s: %s has to be the same on all"
                + " ranks",
            peer, words.apply(theirs), words.apply(flags), variable));
  }
}
