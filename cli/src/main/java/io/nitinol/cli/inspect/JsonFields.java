// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** The members of a document that a rank has written, each of which may be wrong. */
public final class JsonFields {
  private static final int MOST_SHOWN = 60;
  private static final int MOST_CHARACTERS = 4000;

  private JsonFields() {}

  /**
   * Returns a whole number.
   *
   * @throws IOException when it is none, or less or more than it may be
   */
  public static long whole(JsonNode node, String name, long least, long most) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < least
        || value.asLong() > most) {
      throw new IOException(
          ErrorText.of(
              "\"%s\" is %s; expected a whole number of %d to %d",
              name, shown(value), least, most));
    }
    return value.asLong();
  }

  /**
   * Returns a text, without characters that a terminal would obey, and no longer than a sentence of
   * a rank may be: tables are as wide as their widest text.
   *
   * @throws IOException when it is none
   */
  public static String text(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isString()) {
      throw new IOException(ErrorText.of("\"%s\" is %s; expected a text", name, shown(value)));
    }
    String text = value.asString();
    return PeerText.printable(text, Math.min(text.length(), MOST_CHARACTERS));
  }

  /** Returns a text without characters that a terminal would obey. */
  public static String printable(String text) {
    return PeerText.printable(text, text.length());
  }

  /**
   * Returns an array.
   *
   * @throws IOException when it is none
   */
  public static JsonNode array(JsonNode node, String name) throws IOException {
    JsonNode value = node.path(name);
    if (!value.isArray()) {
      throw new IOException(ErrorText.of("\"%s\" is %s; expected an array", name, shown(value)));
    }
    return value;
  }

  /** Returns a value for a sentence. */
  public static String shown(JsonNode value) {
    if (value.isMissingNode()) {
      return "missing";
    }
    String text = value.toString();
    return PeerText.printable(text, MOST_SHOWN) + (text.length() <= MOST_SHOWN ? "" : "...");
  }
}
