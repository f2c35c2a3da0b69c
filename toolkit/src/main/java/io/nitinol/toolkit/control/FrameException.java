// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import java.io.Serial;

/** The peer, or a man in the middle, sent something that no peer of this version sends. */
public final class FrameException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Says what came.
   *
   * @param message what it was, to be put behind "the peer sent"
   */
  public FrameException(String message) {
    super(message);
  }

  /**
   * Says what came.
   *
   * @param message what it was, to be put behind "the peer sent"
   * @param cause how that was noticed
   */
  public FrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
