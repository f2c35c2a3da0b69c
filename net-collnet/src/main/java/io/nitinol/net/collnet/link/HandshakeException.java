// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

/** Whoever is at the other end is not what it should be. The message says why. */
final class HandshakeException extends Exception {
  private static final long serialVersionUID = 1L;

  HandshakeException(String message) {
    super(message);
  }
}
