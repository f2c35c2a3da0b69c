// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

/** Thrown for bytes that are no frame; the message names the difference. */
public final class BadFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param message in what they differ from a frame
   */
  public BadFrameException(String message) {
    super(message);
  }

  BadFrameException(String message, Throwable cause) {
    super(message, cause);
  }
}
