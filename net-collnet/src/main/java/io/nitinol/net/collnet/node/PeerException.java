// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/** A child, or the parent, that has failed or sent what it must not: the end of its group. */
final class PeerException extends RuntimeException {
  /** The parent's number where others have a child's. */
  static final int PARENT = -1;

  private static final long serialVersionUID = 1L;

  private final int child;
  private final ResultCode code;
  private final boolean said;

  private PeerException(
      int child, ResultCode code, boolean said, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.child = child;
    this.code = code;
    this.said = said;
  }

  /**
   * Tells of a connection that has failed.
   *
   * @param child the number of the child, or {@link #PARENT}
   */
  static PeerException lost(int child, ResultCode code, Throwable cause) {
    return new PeerException(child, code, false, String.valueOf(cause.getMessage()), cause);
  }

  /** Tells of something that makes no sense, or that others contradict. */
  static PeerException lied(int child, String what) {
    return new PeerException(child, ResultCode.INVALID_USAGE, true, what, null);
  }

  /** Returns the number of the child, or {@link #PARENT}. */
  int child() {
    return child;
  }

  /** Returns what kind of failure it is. */
  ResultCode code() {
    return code;
  }

  /** Returns whether it is about what was sent; otherwise about the connection. */
  boolean isAboutContent() {
    return said;
  }
}
