// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

/** This machine does not permit, or does not have, what a network needs; the message says what. */
public final class Unavailable extends Exception {
  private static final long serialVersionUID = 1L;

  Unavailable(String message) {
    super(message);
  }
}
