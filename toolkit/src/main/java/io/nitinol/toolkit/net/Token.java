// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.net;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * A listener, comm, memory handle or request of a network plugin, which recognizes by it what it
 * has handed out and what is still in use (NET-ERR-02). Safe for any thread.
 */
public abstract class Token {
  private final Object owner;
  private volatile boolean live = true;

  /**
   * Creates a live token.
   *
   * @param owner what handed it out: the plugin, or the comm that it is good for alone
   */
  protected Token(Object owner) {
    this.owner = owner;
  }

  /** Ends the token: the caller may not use it any more. */
  public final void end() {
    live = false;
  }

  /** Makes a token live again that is handed out a second time, as a request of a pool is. */
  public final void reuse() {
    live = true;
  }

  /**
   * Returns a token as the plugin knows it.
   *
   * @param kind the plugin's class for it
   * @param owner what has to have handed it out
   * @param token what the caller passed
   * @param <T> the plugin's class for it
   * @return {@code token}
   * @throws NetException INVALID_ARGUMENT unless it is of this kind, of this owner, and live
   */
  public static <T extends Token> T own(Class<T> kind, Object owner, @Nullable Object token) {
    if (kind.isInstance(token)) {
      T known = kind.cast(token);
      Token state = known;
      if (state.owner.equals(owner) && state.live) {
        return known;
      }
    }
    throw new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s is no live %s that %s has handed out", token, kind.getSimpleName(), owner));
  }
}
