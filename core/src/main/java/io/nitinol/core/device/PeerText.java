// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.toolkit.thread.AnyThread;

/** Makes what another rank has sent fit for messages and logs. */
@AnyThread
final class PeerText {
  private PeerText() {}

  /** Returns whether a text is printable ASCII without spaces, of 1 to {@code most} characters. */
  static boolean isName(String text, int most) {
    return !text.isEmpty()
        && text.length() <= most
        && text.chars().allMatch(c -> isPrintable(c) && c != ' ');
  }

  /**
   * Returns at most {@code most} characters of a text, with a question mark for each that is not
   * printable ASCII.
   */
  static String printable(String text, int most) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), most));
    for (int i = 0; i < text.length() && i < most; i++) {
      char c = text.charAt(i);
      clean.append(isPrintable(c) ? c : '?');
    }
    return clean.toString();
  }

  private static boolean isPrintable(int c) {
    return c >= ' ' && c <= '~';
  }
}
