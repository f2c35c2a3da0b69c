// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of an argument file of the {@code java} launcher ({@code @file}): words between blanks,
 * in single or double quotes where they hold blanks, with escapes inside quotes; {@code #} begins a
 * comment.
 */
final class ArgumentFile {
  private final String text;
  private int at;

  private ArgumentFile(String text) {
    this.text = text;
  }

  /** Returns the words. */
  static List<String> words(String text) {
    ArgumentFile file = new ArgumentFile(text);
    List<String> words = new ArrayList<>();
    while (file.skipToWord()) {
      words.add(file.word());
    }
    return words;
  }

  private boolean skipToWord() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        return true;
      }
    }
    return false;
  }

  private String word() {
    StringBuilder word = new StringBuilder();
    char quote = 0;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (quote == 0 && (Character.isWhitespace(c) || c == '#')) {
        break;
      }
      if (quote != 0 && c == '\\' && at + 1 < text.length()) {
        at++;
        escaped(word);
      } else if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else {
        word.append(c);
      }
    }
    return word.toString();
  }

  private void escaped(StringBuilder word) {
    char c = text.charAt(at);
    switch (c) {
      case 'n' -> word.append('\n');
      case 'r' -> word.append('\r');
      case 't' -> word.append('\t');
      case 'f' -> word.append('\f');
      case '\n' -> {
        // The line goes on with the first word of the next one.
        while (at + 1 < text.length() && " \t\f".indexOf(text.charAt(at + 1)) >= 0) {
          at++;
        }
      }
      default -> word.append(c);
    }
  }
}
