// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

/** Escapes the control characters of a plugin's messages, which a terminal would obey. */
final class Terminal {
  private Terminal() {}

  /** Writes control characters as Java escapes, so that a line stays one line of plain text. */
  static String escape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.chars()
        .forEach(c -> {
          if (Character.isISOControl(c)) {
            plain.append(String.format("\\u%04x", c));
          } else {
            plain.append((char) c);
          }
        });
    return plain.toString();
  }
}
