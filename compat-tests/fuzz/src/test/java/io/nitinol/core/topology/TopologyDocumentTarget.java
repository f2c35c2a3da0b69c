// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nitinol.core.topology.xml.XmlElement;
import io.nitinol.core.topology.xml.XmlReader;
import io.nitinol.core.topology.xml.XmlWriter;
import io.nitinol.fuzz.FuzzTarget;
import java.util.List;

/** A topology file, as {@code nitinol topo --file} reads it. */
public final class TopologyDocumentTarget implements FuzzTarget {
  /** Paths are searched from each node to each: a file of many nodes takes long, and finds less. */
  private static final int MOST_NODES = 64;

  private static final String MACHINE =
      """
      <system version="1">
        <cpu numaid="0" affinity="ffff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:18:00.0" class="0x060400" vendor="0x1000" device="0xc030" link_speed="32.0 GT/s PCIe" link_width="16">
            <pci busid="0000:1b:00.0" class="0x030200" vendor="0x10de" device="0x2335" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1">
                <nvlink target="0000:5d:00.0" count="18" tclass="0x030200"/>
                <c2c bw="900" count="1"/>
              </gpu>
            </pci>
            <pci busid="0000:1c:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="mlx5_0" dev="0" speed="400000" port="1" latency="0.6" guid="0x1" maxconn="131072" gdr="1"/>
              </nic>
            </pci>
          </pci>
        </cpu>
        <cpu numaid="1" arch="arm64">
          <pci busid="0000:5d:00.0" class="0x030200" link_speed="16 GT/s" link_width="8">
            <gpu dev="1" sm="90" rank="1" gdr="0">
              <nvlink target="0000:1b:00.0" count="18" tclass="0x030200"/>
            </gpu>
          </pci>
        </cpu>
      </system>
      """;

  /** Bridges of one Broadcom switch, two of them linked, and another switch linked to one. */
  private static final String SWITCHES =
      """
      <system version="1">
        <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:10:00.0" class="0x060400" vendor="0x1000" device="0xc010" subsystem_vendor="0x1000" subsystem_device="0xa000" link_speed="16 GT/s" link_width="16">
            <pci busid="0000:11:00.0" class="0x060400" vendor="0x1000" device="0xc010" subsystem_vendor="0x1000" subsystem_device="0xa000" link_speed="16 GT/s" link_width="16">
              <pcilink target="0000:12:00.0"/>
              <pcilink target="0000:20:00.0"/>
              <pci busid="0000:13:00.0" class="0x030200" link_speed="16 GT/s" link_width="16">
                <gpu dev="0" sm="80" rank="0" gdr="1"/>
              </pci>
            </pci>
            <pci busid="0000:12:00.0" class="0x060400" vendor="0x1000" device="0xc010" subsystem_vendor="0x1000" subsystem_device="0xa000" link_speed="16 GT/s" link_width="16">
              <pcilink target="0000:11:00.0"/>
            </pci>
          </pci>
          <pci busid="0000:20:00.0" class="0x060400" vendor="0x1000" device="0xc030" subsystem_vendor="0x1000" subsystem_device="0x0000" link_speed="16 GT/s" link_width="16">
            <pcilink target="0000:11:00.0"/>
          </pci>
        </cpu>
      </system>
      """;

  /** Fails where it is no machine: what is made of it would reach the first checks only. */
  private static byte[] machine(String xml) {
    byte[] bytes = xml.getBytes(UTF_8);
    try {
      TopologyDocument.parse("seed", bytes);
    } catch (TopologyException e) {
      throw new AssertionError("a seed is refused: " + e.getMessage(), e);
    }
    return bytes;
  }

  @Override
  public void run(byte[] input) {
    try {
      TopologyDocument read = TopologyDocument.parse("file", input);
      TopologyDocument again = TopologyDocument.parse("again", read.text().getBytes(UTF_8));
      FuzzTarget.require(again.text().equals(read.text()), "another text is read back");
      if (read.topology().nodes().size() <= MOST_NODES) {
        TopologyPaths.of(read.topology(), PathOptions.DEFAULT);
      }
    } catch (TopologyException e) {
      FuzzTarget.require(e.getMessage().startsWith("file, "), "no file, or a text that it wrote");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(XmlReader.class, XmlElement.class, XmlWriter.class, TopologyBuilder.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        machine(MACHINE),
        machine(SWITCHES),
        "<!-- a --><system version=\"1\"/>".getBytes(UTF_8),
        "<?xml version=\"1.0\"?><system version='1'><cpu a=\"&lt;&#38;\"/></system>"
            .getBytes(UTF_8));
  }
}
