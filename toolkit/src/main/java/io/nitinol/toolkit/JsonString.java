// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

/** Writes strings as JSON has them, also those that come from an application or another rank. */
public final class JsonString {
  private JsonString() {}

  /**
   * Returns a string in quotation marks.
   *
   * @param value any characters
   * @return the characters as JSON has them
   */
  public static String of(String value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  /**
   * Appends a string in quotation marks.
   *
   * @param out what it is appended to
   * @param value any characters
   */
  public static void append(StringBuilder out, String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(ErrorText.of("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
