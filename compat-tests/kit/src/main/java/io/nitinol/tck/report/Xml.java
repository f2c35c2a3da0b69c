// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.report;

/** Replaces characters of a plugin's messages that XML and HTML do not allow. */
final class Xml {
  private Xml() {}

  /** Replaces characters that XML 1.0 cannot express. */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().map(c -> isAllowed(c) ? c : '\uFFFD').forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** Replaces characters that have a meaning in HTML. */
  static String escape(String text) {
    return clean(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static boolean isAllowed(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
