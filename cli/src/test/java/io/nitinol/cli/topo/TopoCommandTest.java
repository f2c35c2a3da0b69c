// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.command.CommandFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TopoCommandTest {
  private static final String MACHINE =
      """
      <system version="1">
        <cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:10:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
            <pci busid="0000:11:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1">
                <nvlink target="0000:ff:00.0" count="18" tclass="0x068000"/>
              </gpu>
            </pci>
            <pci busid="0000:12:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
              <nic>
                <net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1" gdr="1"/>
              </nic>
            </pci>
          </pci>
        </cpu>
        <cpu numaid="1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
          <pci busid="0000:21:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
            <gpu dev="1" sm="90" rank="1" gdr="1">
              <nvlink target="0000:ff:00.0" count="18" tclass="0x068000"/>
            </gpu>
          </pci>
        </cpu>
      </system>
      """;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void writeMachine() throws Exception {
    file = directory.resolve("machine.xml");
    Files.writeString(file, MACHINE);
  }

  @Test
  void printsTheTreeAndTheMatrix() {
    assertThat(print("--file", file.toString()))
        .isEqualTo(
            """
            CPU/0 x86_64 GenuineIntel
              PCI 48.0  PCI/0000:10:00.0
                PCI 48.0  GPU0 0000:11:00.0 sm 90
                  NVL 370.8  NVS/0
                PCI 48.0  NIC/0000:12:00.0
                  NET 50.0  NET0 mlx5_0 port 1
              SYS 22.0  CPU/1 x86_64 GenuineIntel
            CPU/1 x86_64 GenuineIntel
              PCI 48.0  GPU1 0000:21:00.0 sm 90
                NVL 370.8  NVS/0
              SYS 22.0  CPU/0 x86_64 GenuineIntel

            FROM \\ TO  GPU0       GPU1       NET0
            GPU0       LOC        NVL 370.8  PIX 48.0
            GPU1       NVL 370.8  LOC        PXN 48.0
            NET0       PIX 48.0   SYS 22.0   LOC
            """);
  }

  @Test
  void printsTheSameAsJson() {
    JsonNode root =
        JsonMapper.builder().build().readTree(print("--json", "--file", file.toString()));
    assertThat(root.path("nodes").size()).isEqualTo(8);
    assertThat(root.path("nodes").get(0).path("name").asString()).isEqualTo("GPU/0000:11:00.0");
    JsonNode path = root.path("paths").get(5);
    assertThat(path.path("from").asString()).isEqualTo("GPU/0000:21:00.0");
    assertThat(path.path("to").asString()).isEqualTo("NET/0");
    assertThat(path.path("kind").asString()).isEqualTo("PXN");
    assertThat(path.path("hops").asInt()).isEqualTo(5);
  }

  @Test
  void showsTheGraphsAndTheCosts() {
    assertThat(print("--graphs", "--hosts", "2", "--tuning", "--file", file.toString()))
        .contains("RING: ", "  channels 0 to ", "channels of 4 ranks on 2 host(s)")
        .contains("  ring of channels 0 to ", ": 0 1 2 3")
        .contains("  Algorithm   |                            Tree")
        .contains("Chosen from this size of a rank's count on:");
  }

  @Test
  void theGraphsAreInJsonToo() {
    JsonNode root =
        JsonMapper.builder()
            .build()
            .readTree(print("--json", "--graphs", "--file", file.toString()));
    assertThat(root.path("graphs").get(0).path("kind").asString()).isEqualTo("RING");
    assertThat(root.path("rings").size()).isEqualTo(root.path("channels").asInt());
    assertThat(root.path("rings").get(0).toString()).isEqualTo("[0,1]");
    assertThat(root.path("costs").size()).isGreaterThan(10);
  }

  @Test
  void drawsAPageThatNeedsNothingElse() throws Exception {
    Path page = file.resolveSibling("page.html");
    String text = print("--page", page.toString(), "--file", file.toString());
    assertThat(text).startsWith("CPU/0");
    String drawn = Files.readString(page);
    assertThat(drawn)
        .startsWith("<!DOCTYPE html>")
        .contains("<svg ", ">GPU0 sm 90<", ">NVL 370.8<", "<td>PXN 48.0</td>", "</html>")
        .doesNotContain("<script", "src=", "href=", "@import", "url(");
    int nodes = 8;
    assertThat(drawn.split("<rect ", -1)).hasSize(nodes + 1);
  }

  @Test
  void refusesANumberOfHostsThatNoTableIsFor() {
    assertThatThrownBy(() -> print("--hosts", "0", "--file", file.toString()))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--hosts should be from 1 to 1024, and is 0");
  }

  @Test
  void namesTheFileAndTheLineThatAreWrong() throws Exception {
    Files.writeString(file, MACHINE.replace("sm=\"90\" rank=\"1\"", "sm=\"new\" rank=\"1\""));
    assertThatThrownBy(() -> print("--file", file.toString()))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--file: " + file + ", line 18: sm=\"new\" of <gpu> should be a whole number");
  }

  private static String print(String... arguments) {
    StringWriter out = new StringWriter();
    TopoCommand topo = new TopoCommand();
    CommandLine command = new CommandLine(topo).setOut(new PrintWriter(out));
    command.parseArgs(arguments);
    assertThat(topo.call()).isZero();
    return out.toString();
  }
}
