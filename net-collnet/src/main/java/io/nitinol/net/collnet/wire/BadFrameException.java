// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

/** Bytes that are no frame. The message says in what they differ from one. */
public final class BadFrameException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Says what is wrong with the bytes.
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
