// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyDocumentTest {
  @TempDir private Path directory;

  @Test
  void whatIsReadIsWrittenAgain() throws Exception {
    for (String xml :
        List.of(
            TopologyMachines.dgx(),
            TopologyMachines.pcie(),
            TopologyMachines.vm(),
            TopologyMachines.h200(2))) {
      TopologyDocument document = TopologyMachines.document(xml);
      Path file = directory.resolve("topology.xml");
      document.write(file);
      TopologyDocument again = TopologyDocument.read(file);
      assertThat(again.text()).isEqualTo(document.text());
      assertThat(again.topology().nodes().toString())
          .isEqualTo(document.topology().nodes().toString());
    }
  }

  @Test
  void attributesThatTheGraphDoesNotNeedAreKept() throws Exception {
    String xml =
        "<system version=\"1\">\n"
            + "  <cpu numaid=\"0\" arch=\"arm64\" later=\"a&amp;b\">\n"
            + "    <future keep=\"1\"/>\n"
            + "  </cpu>\n"
            + "</system>\n";
    assertThat(TopologyMachines.document(xml).text()).isEqualTo(xml);
  }

  @Test
  void bridgesWithinABroadcomSwitchAreOneSwitch() throws Exception {
    Topology machine = TopologyMachines.document(nested("0xc010", "0xa000")).topology();
    assertThat(machine.nodes(NodeKind.PCI)).hasSize(1);
    assertThat(peers(machine)).isEqualTo(PathKind.PIX);
    Topology other = TopologyMachines.document(nested("0xc011", "0xa000")).topology();
    assertThat(other.nodes(NodeKind.PCI)).hasSize(3);
    assertThat(peers(other)).isEqualTo(PathKind.PXB);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          link_width="16"   | link_width="wide"  | link_width="wide" of <pci> should be a whole
          link_width="16"   | link_width="99"    | link_width="99" of <pci> should be from 0 to 32
          0000:00:00.0      | 0000:zz:00.0       | busid="0000:zz:00.0" of <pci> should be a bus id
          0000:01:00.0      | 0000:00:00.0       | <pci> GPU/0000:00:00.0 is there twice
          count="18"        | count="0"          | count="0" of <nvlink> should be from 1 to 256
          version="1"       | version="2"        | version="2" of <system> should be 1
          numaid="0"        | domain="0"         | <cpu> has no attribute numaid
          speed="10000"     | speed="1e4"        | speed="1e4" of <net> should be a whole number
          """)
  void aWrongValueIsNamedWithItsLine(String right, String wrong, String said) {
    String xml = TopologyMachines.h200(2).replaceFirst(Pattern.quote(right), wrong);
    assertThatThrownBy(() -> TopologyMachines.document(xml))
        .isInstanceOf(TopologyException.class)
        .hasMessageStartingWith("machine.xml, line ")
        .hasMessageContaining(said.strip());
  }

  @Test
  void anNvlinkThatLeadsOneWayOnlyIsRefused() {
    String gpus =
        "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\">%s</cpu></system>"
            .formatted(gpu(0, "<nvlink target=\"0000:01:00.0\" count=\"1\" tclass=\"0x03\"/>"))
            .replace("</cpu>", gpu(1, "") + "</cpu>");
    assertThatThrownBy(() -> TopologyMachines.document(gpus))
        .hasMessageContaining("GPU/0000:00:00.0 has a link NVL to GPU/0000:01:00.0");
  }

  @Test
  void aSwitchThatIsLinkedToItselfIsRefused() {
    String xml = linked("<pcilink target=\"0000:11:00.0\"/>", "");
    assertThatThrownBy(() -> TopologyMachines.document(xml))
        .isInstanceOf(TopologyException.class)
        .hasMessageStartingWith("machine.xml, line 1: ")
        .hasMessageContaining("target=\"0000:11:00.0\" of <pcilink> should be another device");
  }

  @Test
  void aGpuThatIsLinkedToItselfIsRefused() {
    String xml =
        nested("0xc010", "0xa000")
            .replaceFirst(
                "</gpu>", "<nvlink target=\"0000:00:00.0\" count=\"1\" tclass=\"0x03\"/></gpu>");
    assertThatThrownBy(() -> TopologyMachines.document(xml))
        .isInstanceOf(TopologyException.class)
        .hasMessageStartingWith("machine.xml, line 1: ")
        .hasMessageContaining("target=\"0000:00:00.0\" of <nvlink> should be another device");
  }

  @Test
  void linksBetweenBridgesOfOneSwitchEndWithThem() throws Exception {
    String xml = linked("<pcilink target=\"0000:12:00.0\"/>", "<pcilink target=\"0000:11:00.0\"/>");
    Topology machine = TopologyMachines.document(xml).topology();
    assertThat(machine.nodes(NodeKind.PCI)).hasSize(1);
    for (TopologyNode node : machine.nodes()) {
      assertThat(machine.nodes()).containsAll(node.links().stream().map(TopologyLink::to).toList());
    }
    assertThat(peers(machine)).isEqualTo(PathKind.PIX);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path file = directory.resolve("none.xml");
    assertThatThrownBy(() -> TopologyDocument.read(file))
        .isInstanceOf(TopologyException.class)
        .hasMessage(file + " cannot be read: there is no such file");
  }

  private static PathKind peers(Topology machine) {
    List<TopologyNode> gpus = machine.nodes(NodeKind.GPU);
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    return paths.path(gpus.get(0), gpus.get(1)).kind();
  }

  /** Returns a switch with two bridges in it, a GPU below each. */
  private static String nested(String device, String subsystem) {
    String bridge =
        "<pci busid=\"0000:%s:00.0\" class=\"0x060400\" vendor=\"0x1000\" device=\""
            + device
            + "\" subsystem_vendor=\"0x1000\" subsystem_device=\""
            + subsystem
            + "\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">";
    return "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\">"
        + bridge.formatted("10")
        + bridge.formatted("11")
        + gpu(0, "")
        + "</pci>"
        + bridge.formatted("12")
        + gpu(1, "")
        + "</pci></pci></cpu></system>";
  }

  /** Returns {@link #nested} of Broadcom, with more in its first and in its second bridge. */
  private static String linked(String first, String second) {
    String xml = nested("0xc010", "0xa000");
    int middle = xml.indexOf("</gpu></pci></pci>") + "</gpu></pci>".length();
    int end = xml.lastIndexOf("</pci></pci></cpu>");
    return xml.substring(0, middle)
        + first
        + xml.substring(middle, end)
        + second
        + xml.substring(end);
  }

  private static String gpu(int number, String links) {
    return "<pci busid=\"0000:0%d:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"0\">"
            .formatted(number)
        + "<gpu dev=\"%d\" sm=\"80\" rank=\"%d\" gdr=\"1\">".formatted(number, number)
        + links
        + "</gpu></pci>";
  }
}
