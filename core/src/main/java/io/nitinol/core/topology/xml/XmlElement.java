// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One element with its attributes in the order of the text, and its children. Immutable.
 *
 * @param name the element's name
 * @param attributes its attributes
 * @param children the elements in it
 * @param line the line where it begins, from 1 on
 */
public record XmlElement(
    String name, Map<String, String> attributes, List<XmlElement> children, int line) {

  /** Returns an attribute, or null. */
  public @Nullable String get(String key) {
    return attributes.get(key);
  }

  /**
   * Returns an attribute that the element must have.
   *
   * @throws XmlException if it has none
   */
  public String require(String key) throws XmlException {
    String value = attributes.get(key);
    if (value == null) {
      throw new XmlException(line, ErrorText.of("<%s> has no attribute %s", name, key));
    }
    return value;
  }

  /**
   * Returns a whole number that the element must have.
   *
   * @throws XmlException if it has none, or one that is no such number
   */
  public int requireInt(String key) throws XmlException {
    return number(key, require(key));
  }

  /**
   * Returns a whole number, or a default where the element has none.
   *
   * @throws XmlException if it is no such number
   */
  public int getInt(String key, int otherwise) throws XmlException {
    String value = attributes.get(key);
    return value == null ? otherwise : number(key, value);
  }

  /**
   * Returns a fraction that is not negative, or a default where the element has none.
   *
   * @throws XmlException if it is no such number
   */
  public float getFloat(String key, float otherwise) throws XmlException {
    String value = attributes.get(key);
    if (value == null) {
      return otherwise;
    }
    float number;
    try {
      number = Float.parseFloat(value);
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a number");
    }
    if (!(number >= 0) || Float.isInfinite(number)) {
      throw wrong(key, value, "a number from 0 on");
    }
    return number;
  }

  /**
   * Returns a number in hexadecimal digits, as {@code 0x8086}, or 0 where the element has none.
   *
   * @throws XmlException if it is no such number
   */
  public long getHex(String key) throws XmlException {
    String value = attributes.get(key);
    if (value == null) {
      return 0;
    }
    try {
      return Long.parseUnsignedLong(value.startsWith("0x") ? value.substring(2) : value, 16);
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a hexadecimal number of at most 64 bits");
    }
  }

  /** Returns the exception for an attribute's value. */
  public XmlException wrong(String key, String value, String expected) {
    return new XmlException(
        line, ErrorText.of("%s=\"%s\" of <%s> should be %s", key, value, name, expected));
  }

  /** Returns the first child of a name, or null. */
  public @Nullable XmlElement child(String of) {
    for (XmlElement child : children) {
      if (child.name.equals(of)) {
        return child;
      }
    }
    return null;
  }

  private int number(String key, String value) throws XmlException {
    try {
      return Integer.decode(value);
    } catch (NumberFormatException e) {
      throw wrong(key, value, "a whole number");
    }
  }
}
