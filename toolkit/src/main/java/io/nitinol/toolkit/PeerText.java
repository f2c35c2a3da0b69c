// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import io.nitinol.toolkit.thread.AnyThread;

/**
 * Makes what another rank has sent, or a file contains, fit for messages, logs and a terminal: a
 * stranger's control characters would act on it.
 */
@AnyThread
public final class PeerText {
  private PeerText() {}

  /**
   * {@return whether a text may be a name: printable ASCII without spaces}
   *
   * @param text what was heard or read
   * @param most how many characters it may have; it has one at least
   */
  public static boolean isName(String text, int most) {
    return !text.isEmpty()
        && text.length() <= most
        && text.chars().allMatch(c -> isPrintable(c) && c != ' ');
  }

  /**
   * Replaces each character that is not printable ASCII by a question mark.
   *
   * @param text what was heard or read
   * @param most how many characters are kept; the rest is cut off
   * @return the text that may be shown
   */
  public static String printable(String text, int most) {
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
