// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

import io.nitinol.toolkit.ErrorText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one element with all that is in it. Comments and the declaration are skipped; a document
 * type, a section of character data, text between elements and unknown entities are errors.
 */
public final class XmlReader {
  /** How many bytes a text may have. */
  public static final int MOST_BYTES = 8 << 20;

  private static final int MOST_ELEMENTS = 65_536;
  private static final int MOST_ATTRIBUTES = 32;
  private static final int MOST_DEPTH = 64;
  private static final int MOST_LETTERS = 4_096;
  private static final char END = '\0';

  private final String text;
  private int at;
  private int line = 1;
  private int elements;

  private XmlReader(String text) {
    this.text = text;
  }

  /**
   * Reads a document.
   *
   * @param content its bytes, in UTF-8
   * @return the outermost element
   * @throws XmlException with line and value
   */
  public static XmlElement read(byte[] content) throws XmlException {
    if (content.length > MOST_BYTES) {
      throw new XmlException(1, ErrorText.of("more than %d bytes", MOST_BYTES));
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      throw new XmlException(1, "the text is not in UTF-8");
    }
    XmlReader reader = new XmlReader(text);
    if (reader.look() == '\uFEFF') {
      reader.at++;
    }
    reader.skipBetween();
    if (reader.at == text.length()) {
      throw reader.wrong("there is no element");
    }
    XmlElement root = reader.element(1);
    reader.skipBetween();
    if (reader.at < text.length()) {
      throw reader.wrong("more follows after </" + root.name() + ">");
    }
    return root;
  }

  private XmlElement element(int depth) throws XmlException {
    int begin = line;
    if (!takes("<")) {
      throw wrong(ErrorText.of("'%s' stands where an element should begin", shown()));
    }
    if (depth > MOST_DEPTH) {
      throw wrong(ErrorText.of("elements are nested deeper than %d", MOST_DEPTH));
    }
    if (++elements > MOST_ELEMENTS) {
      throw wrong(ErrorText.of("there are more than %d elements", MOST_ELEMENTS));
    }
    String name = name();
    Map<String, String> attributes = attributes(name);
    List<XmlElement> children = new ArrayList<>();
    if (takes("/>")) {
      return new XmlElement(name, attributes, List.of(), begin);
    }
    if (!takes(">")) {
      throw wrong(ErrorText.of("<%s> has '%s' where > was expected", name, shown()));
    }
    skipBetween();
    while (!takes("</")) {
      if (at == text.length()) {
        throw wrong(ErrorText.of("<%s> of line %d has no end", name, begin));
      }
      children.add(element(depth + 1));
      skipBetween();
    }
    String ended = name();
    if (!ended.equals(name)) {
      throw wrong(ErrorText.of("</%s> ends <%s> of line %d", ended, name, begin));
    }
    skipBlanks();
    if (!takes(">")) {
      throw wrong(ErrorText.of("</%s has '%s' where > was expected", name, shown()));
    }
    return new XmlElement(name, attributes, List.copyOf(children), begin);
  }

  private Map<String, String> attributes(String element) throws XmlException {
    Map<String, String> attributes = new LinkedHashMap<>();
    while (true) {
      skipBlanks();
      if (look() == '/' || look() == '>' || at == text.length()) {
        return Collections.unmodifiableMap(attributes);
      }
      String key = name();
      skipBlanks();
      if (!takes("=")) {
        throw wrong(ErrorText.of("attribute %s of <%s> has no value", key, element));
      }
      skipBlanks();
      if (attributes.put(key, value(key)) != null) {
        throw wrong(ErrorText.of("<%s> has the attribute %s twice", element, key));
      }
      if (attributes.size() > MOST_ATTRIBUTES) {
        throw wrong(ErrorText.of("<%s> has more than %d attributes", element, MOST_ATTRIBUTES));
      }
    }
  }

  private String value(String key) throws XmlException {
    char quote = look();
    if (quote != '"' && quote != '\'') {
      throw wrong(ErrorText.of("the value of %s begins with '%s', not a quote", key, shown()));
    }
    at++;
    StringBuilder value = new StringBuilder();
    while (look() != quote || at == text.length()) {
      if (at == text.length() || look() == '<' || value.length() == MOST_LETTERS) {
        throw wrong(
            ErrorText.of(
                "the value of %s has no closing quote within %d characters", key, MOST_LETTERS));
      }
      value.append(look() == '&' ? reference() : next());
    }
    at++;
    return value.toString();
  }

  private char reference() throws XmlException {
    for (XmlEntity entity : XmlEntity.values()) {
      if (takes(entity.reference())) {
        return entity.letter();
      }
    }
    throw wrong(ErrorText.of("'%s' begins with an entity that is not known", shown()));
  }

  private String name() throws XmlException {
    int begin = at;
    while (at < text.length() && (isLetter(look()) || (at > begin && isWithin(look())))) {
      at++;
    }
    if (at == begin || at - begin > MOST_LETTERS) {
      throw wrong(ErrorText.of("'%s' is no name", shown()));
    }
    return text.substring(begin, at);
  }

  private static boolean isLetter(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
  }

  private static boolean isWithin(char letter) {
    return (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == ':';
  }

  /** Skips what may stand between elements. */
  private void skipBetween() throws XmlException {
    while (true) {
      skipBlanks();
      if (takes("<!--")) {
        skipTo("-->");
      } else if (takes("<?")) {
        skipTo("?>");
      } else {
        return;
      }
    }
  }

  private void skipTo(String end) throws XmlException {
    int begin = line;
    while (!takes(end)) {
      if (at == text.length()) {
        throw new XmlException(begin, ErrorText.of("'%s' is missing", end));
      }
      next();
    }
  }

  private void skipBlanks() {
    while (look() == ' ' || look() == '\t' || look() == '\n' || look() == '\r') {
      next();
    }
  }

  private char look() {
    return at < text.length() ? text.charAt(at) : END;
  }

  private char next() {
    char letter = text.charAt(at++);
    if (letter == '\n') {
      line++;
    }
    return letter;
  }

  private boolean takes(String expected) {
    if (!text.startsWith(expected, at)) {
      return false;
    }
    at += expected.length();
    return true;
  }

  private String shown() {
    String rest = text.substring(at, Math.min(text.length(), at + 20));
    int end = rest.indexOf('\n');
    return end < 0 ? rest : rest.substring(0, end);
  }

  private XmlException wrong(String message) {
    return new XmlException(line, message);
  }
}
