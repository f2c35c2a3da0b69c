// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.RecordedMachine;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.spi.topology.v1.FabricLink;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineDetectionTest {
  private static final DetectedNet ETH =
      new DetectedNet(
          "eth0",
          "/sys/devices/pci0000:00/0000:00:03.0/virtio2",
          0,
          0,
          10_000,
          0,
          0,
          65_536,
          false,
          false);

  @TempDir private Path directory;

  @Test
  void theDescriptionOfTheRecordedMachineIsNcclsOwn() throws Exception {
    SystemFiles files = FakeMachine.recorded("h100-2-system.txt", directory);
    String theirs = RecordedMachine.text("h100-2-topology.xml");
    List<DetectedGpu> gpus =
        List.of(
            new DetectedGpu(h100("00000000:00:06.0".substring(4), 0), 0),
            new DetectedGpu(h100("0000:00:07.0", 1), 1));
    TopologyDocument found =
        MachineDetection.describe(files, "0x9787ec3134084728", gpus, List.of(ETH), null);
    assertThat(found.text()).isEqualTo(theirs);
    TopologyDocument one =
        MachineDetection.describe(
            files, "0x9787ec3134084728", gpus.subList(0, 1), List.of(ETH), null);
    assertThat(one.text()).isEqualTo(RecordedMachine.text("h100-1-topology.xml"));
  }

  private static DeviceWiring h100(String busId, int index) {
    return new DeviceWiring(
        busId, index, 90, true, List.of(new FabricLink("FFFFFFF:FF:FF.0", 18)), 0, 0);
  }

  @Test
  void cardsAreFoundBySystemWhereNoProviderTellsOfThem() {
    SystemFiles files = FakeMachine.recorded("h100-2-system.txt", directory);
    List<DetectedGpu> found = DetectedGpu.bySystem(files);
    assertThat(found)
        .extracting(gpu -> gpu.wiring().pciId())
        .isEqualTo(List.of("0000:00:06.0", "0000:00:07.0"));
    assertThat(found).allMatch(gpu -> gpu.wiring().generation() == 90);
  }

  @Test
  void switchesRootPortsAndDomainsAreFoundAboveEachDevice() throws Exception {
    SystemFiles files = FakeMachine.of(FakeMachine.twoSockets(), directory);
    List<DetectedGpu> gpus = DetectedGpu.bySystem(files);
    assertThat(gpus).hasSize(4);
    Topology machine =
        MachineDetection.describe(
                files, "0x1", gpus, List.of(FakeMachine.card(0), FakeMachine.card(1)), null)
            .topology();
    assertThat(machine.nodes(NodeKind.CPU))
        .extracting(cpu -> ((NodeFacts.Cpu) cpu.facts()).affinity())
        .isEqualTo(List.of("ff", "ff00"));
    assertThat(machine.nodes(NodeKind.PCI)).hasSize(2);
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    List<TopologyNode> nets = machine.nodes(NodeKind.NET);
    for (TopologyNode gpu : machine.nodes(NodeKind.GPU)) {
      int socket = gpu.id().startsWith("0000:1") ? 0 : 1;
      assertThat(paths.path(gpu, nets.get(socket)).kind()).isEqualTo(PathKind.PIX);
      assertThat(paths.path(gpu, nets.get(socket)).bandwidth()).isEqualTo(24);
      assertThat(paths.path(gpu, nets.get(1 - socket)).kind()).isEqualTo(PathKind.SYS);
    }
  }

  @Test
  void aFileGoesBeforeTheMachineAndWhatIsNotHereIsLeftOut() throws Exception {
    SystemFiles files = FakeMachine.of(FakeMachine.twoSockets(), directory);
    String file =
        "<system version=\"1\"><cpu numaid=\"0\" affinity=\"f\" arch=\"x86_64\""
            + " vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">"
            + "<pci busid=\"0000:12:00.0\" class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\""
            + " link_width=\"16\"><pci busid=\"0000:14:00.0\" class=\"0x030200\""
            + " link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"/></pci>"
            + "<pci busid=\"0000:77:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"0\">"
            + "<gpu dev=\"7\" sm=\"90\" rank=\"7\" gdr=\"1\"/></pci></cpu></system>";
    TopologyDocument known = TopologyDocument.parse("known.xml", file.getBytes(UTF_8));
    List<DetectedGpu> gpus = DetectedGpu.bySystem(files).subList(0, 1);
    assertThat(gpus.getFirst().wiring().pciId()).isEqualTo("0000:14:00.0");
    TopologyDocument merged = MachineDetection.describe(files, "0xabc", gpus, List.of(), known);
    assertThat(merged.text())
        .contains("link_speed=\"32.0 GT/s PCIe\"", "affinity=\"f\"", "host_hash=\"0xabc\"")
        .doesNotContain("0000:77:00.0", "16.0 GT/s");
    assertThat(merged.topology().nodes(NodeKind.GPU)).hasSize(1);
    assertThat(merged.topology().nodes(NodeKind.PCI)).hasSize(1);
  }

  @Test
  void aMachineThatShowsNothingIsOneDomain() throws Exception {
    SystemFiles files = new SystemFiles(directory);
    DetectedGpu gpu = new DetectedGpu(h100("0000:00:06.0", 0), 0);
    Topology machine =
        MachineDetection.describe(files, "0x1", List.of(gpu), List.of(ETH), null).topology();
    assertThat(machine.nodes(NodeKind.CPU)).hasSize(1);
    assertThat(machine.nodes(NodeKind.GPU)).hasSize(1);
    assertThat(machine.nodes(NodeKind.NET)).hasSize(1);
  }
}
