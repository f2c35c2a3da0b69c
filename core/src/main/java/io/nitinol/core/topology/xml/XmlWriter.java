// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

/** Writes elements as NCCL does: one to a line, two blanks for each level. */
public final class XmlWriter {
  private XmlWriter() {}

  /** Returns the text of an element and of all that is in it. */
  public static String text(XmlElement root) {
    StringBuilder out = new StringBuilder();
    write(root, 0, out);
    return out.toString();
  }

  private static void write(XmlElement element, int level, StringBuilder out) {
    String indent = "  ".repeat(level);
    out.append(indent).append('<').append(element.name());
    element
        .attributes()
        .forEach((key, value) -> {
          out.append(' ').append(key).append("=\"");
          escape(value, out);
          out.append('"');
        });
    if (element.children().isEmpty()) {
      out.append("/>\n");
      return;
    }
    out.append(">\n");
    for (XmlElement child : element.children()) {
      write(child, level + 1, out);
    }
    out.append(indent).append("</").append(element.name()).append(">\n");
  }

  private static void escape(String value, StringBuilder out) {
    next:
    for (int i = 0; i < value.length(); i++) {
      for (XmlEntity entity : XmlEntity.values()) {
        if (entity.letter() == value.charAt(i)) {
          out.append(entity.reference());
          continue next;
        }
      }
      out.append(value.charAt(i));
    }
  }
}
