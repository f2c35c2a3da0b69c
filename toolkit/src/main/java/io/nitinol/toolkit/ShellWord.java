// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.regex.Pattern;

/** Writes words of commands that users copy into a shell. */
@AnyThread
public final class ShellWord {
  /** Without a character that any shell takes for more than itself. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*");

  private ShellWord() {}

  /**
   * Returns a text as a shell takes it for one word, such as {@code 'my net.jar'}.
   *
   * @param text of any characters
   * @return the text itself where no shell takes it for anything else
   */
  public static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
