// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

/** The peer, or a man in the middle, sent something that this plugin does not send. */
public final class MetadataException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Says what came.
   *
   * @param message what it was, to be put behind "the peer sent"
   */
  public MetadataException(String message) {
    super(message);
  }

  /**
   * Says what came.
   *
   * @param message what it was, to be put behind "the peer sent"
   * @param cause how that was noticed
   */
  public MetadataException(String message, Throwable cause) {
    super(message, cause);
  }
}
