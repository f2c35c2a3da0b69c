// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

/** The other end of a connection is not the one it should be. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Names the reason.
   *
   * @param message what the other end is or does, to follow its address
   */
  public RefusedException(String message) {
    super(message);
  }
}
