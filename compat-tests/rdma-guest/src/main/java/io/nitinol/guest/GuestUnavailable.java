// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

/** This machine lacks what a guest needs; the message says what, and how to get it. */
public final class GuestUnavailable extends Exception {
  private static final long serialVersionUID = 1L;

  GuestUnavailable(String message) {
    super(message);
  }
}
