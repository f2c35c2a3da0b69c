// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XmlReaderTest {
  @Test
  void elementsAndAttributesKeepTheirOrderAndLine() throws Exception {
    XmlElement root =
        read("<?xml version='1.0'?>\n<!-- a <b> -->\n<a z='1' y=\"&lt;&quot;\">\n<b/></a>");
    assertThat(root.attributes()).containsExactly(entry("z", "1"), entry("y", "<\""));
    assertThat(root.children()).extracting(XmlElement::name).containsExactly("b");
    assertThat(root.children().getFirst().line()).isEqualTo(4);
    assertThat(XmlWriter.text(root)).isEqualTo("<a z=\"1\" y=\"&lt;&quot;\">\n  <b/>\n</a>\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          <a><b></a>                       | line 1: </a> ends <b> of line 1
          <a>                              | line 1: <a> of line 1 has no end
          <a b=c/>                         | line 1: the value of b begins with 'c/>', not a quote
          <a b="c/>                        | line 1: the value of b has no closing quote
          <a b="1" b="2"/>                 | line 1: <a> has the attribute b twice
          <a b="&file;"/>                  | line 1: '&file;"/>' begins with an entity that is not
          <a b="&#60;"/>                   | line 1: '&#60;"/>' begins with an entity that is not
          <!DOCTYPE a [<!ENTITY b "c">]>   | line 1: '!DOCTYPE a [<!ENTITY' is no name
          <a>text</a>                      | line 1: 'text</a>' stands where an element should begin
          <a/><b/>                         | line 1: more follows after </a>
          <a b/>                           | line 1: attribute b of <a> has no value
          <!-- a                           | line 1: '-->' is missing
          """)
  void whatIsWrongIsNamedWithItsLine(String xml, String said) {
    assertThatThrownBy(() -> read(xml))
        .isInstanceOf(XmlException.class)
        .hasMessageStartingWith(said);
  }

  @Test
  void depthNumberAndLengthAreBounded() {
    assertThatThrownBy(() -> read("<a>".repeat(65))).hasMessageContaining("deeper than 64");
    assertThatThrownBy(() -> read("<a>" + "<b/>".repeat(65_536) + "</a>"))
        .hasMessageContaining("more than 65536 elements");
    assertThatThrownBy(() -> read("<a b=\"" + "c".repeat(4_097) + "\"/>"))
        .hasMessageContaining("no closing quote within 4096 characters");
    assertThatThrownBy(() -> XmlReader.read(new byte[XmlReader.MOST_BYTES + 1]))
        .hasMessageContaining("more than 8388608 bytes");
    assertThatThrownBy(() -> XmlReader.read(new byte[] {(byte) 0xff}))
        .hasMessageContaining("not in UTF-8");
    assertThatThrownBy(() -> read("")).hasMessageContaining("there is no element");
  }

  private static Map.Entry<String, String> entry(String key, String value) {
    return Map.entry(key, value);
  }

  private static XmlElement read(String xml) throws XmlException {
    return XmlReader.read(xml.getBytes(StandardCharsets.UTF_8));
  }
}
