// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

/** The five characters that XML writes by name. */
enum XmlEntity {
  AMPERSAND('&', "&amp;"),
  LESS('<', "&lt;"),
  GREATER('>', "&gt;"),
  QUOTE('"', "&quot;"),
  APOSTROPHE('\'', "&apos;");

  private final char letter;
  private final String reference;

  XmlEntity(char letter, String reference) {
    this.letter = letter;
    this.reference = reference;
  }

  char letter() {
    return letter;
  }

  String reference() {
    return reference;
  }
}
