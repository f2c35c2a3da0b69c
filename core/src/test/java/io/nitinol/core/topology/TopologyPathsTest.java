// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyPathsTest {
  @Test
  void gpusOfADgxReachEachOtherOverNvlinkAndTheirNicsThroughTheirSwitch() throws Exception {
    Topology dgx = TopologyMachines.document(TopologyMachines.dgx()).topology();
    TopologyPaths paths = TopologyPaths.of(dgx, PathOptions.DEFAULT);
    List<TopologyNode> gpus = dgx.nodes(NodeKind.GPU);
    List<TopologyNode> nets = dgx.nodes(NodeKind.NET);
    for (int g = 0; g < 8; g++) {
      for (int i = 0; i < 8; i++) {
        TopologyPath peer = paths.path(gpus.get(g), gpus.get(i));
        assertThat(peer.kind()).isEqualTo(g == i ? PathKind.LOC : PathKind.NVL);
        assertThat(peer.bandwidth()).isEqualTo(g == i ? 5000f : 18 * 20.6f);
        TopologyPath net = paths.path(gpus.get(g), nets.get(i));
        assertThat(net.kind()).isEqualTo(g == i ? PathKind.PIX : PathKind.PXN);
        assertThat(net.bandwidth()).isEqualTo(48f);
      }
      assertThat(paths.localNet(gpus.get(g), 0)).isSameAs(nets.get(g));
      assertThat(paths.localGpu(nets.get(g))).isSameAs(gpus.get(g));
    }
  }

  @Test
  void withoutPxnAGpuSendsThroughTheCpus() throws Exception {
    Topology dgx = TopologyMachines.document(TopologyMachines.dgx()).topology();
    TopologyPaths paths = TopologyPaths.of(dgx, new PathOptions(null, null, true, false));
    TopologyNode gpu = dgx.nodes(NodeKind.GPU).getFirst();
    List<TopologyNode> nets = dgx.nodes(NodeKind.NET);
    assertThat(paths.path(gpu, nets.get(1)).kind()).isEqualTo(PathKind.PHB);
    assertThat(paths.path(gpu, nets.get(4)).kind()).isEqualTo(PathKind.SYS);
    assertThat(paths.path(gpu, nets.get(4)).bandwidth()).isEqualTo(22f);
  }

  @Test
  void gpusWithoutNvlinkUseTheirSwitchAndFartherOnesTheCpus() throws Exception {
    Topology pcie = TopologyMachines.document(TopologyMachines.pcie()).topology();
    TopologyPaths paths = TopologyPaths.of(pcie, PathOptions.DEFAULT);
    List<TopologyNode> gpus = pcie.nodes(NodeKind.GPU);
    TopologyNode net = pcie.nodes(NodeKind.NET).getFirst();
    assertThat(cell(paths, gpus.get(0), gpus.get(1))).isEqualTo("PIX 12.0 2");
    assertThat(cell(paths, gpus.get(0), gpus.get(2))).isEqualTo("SYS 10.0 5");
    assertThat(cell(paths, gpus.get(1), net)).isEqualTo("PIX 12.0 3");
    assertThat(cell(paths, gpus.get(3), net)).isEqualTo("SYS 10.0 6");
  }

  @Test
  void aUserMayForbidPeerAccessAndMemoryOfGpusToNics() throws Exception {
    Topology pcie = TopologyMachines.document(TopologyMachines.pcie()).topology();
    PathOptions near = new PathOptions(PathKind.LOC, PathKind.LOC, true, true);
    TopologyPaths paths = TopologyPaths.of(pcie, near);
    List<TopologyNode> gpus = pcie.nodes(NodeKind.GPU);
    assertThat(cell(paths, gpus.get(0), gpus.get(1))).isEqualTo("PHB 12.0 4");
    TopologyNode net = pcie.nodes(NodeKind.NET).getFirst();
    assertThat(cell(paths, gpus.get(0), net)).isEqualTo("PHB 12.0 5");
    assertThat(cell(paths, net, gpus.get(0))).isEqualTo("PHB 12.0 5");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void h200sReachTheHostsNetworkOverTheCpu(int count) throws Exception {
    Topology h200 = TopologyMachines.document(TopologyMachines.h200(count)).topology();
    TopologyPaths paths = TopologyPaths.of(h200, PathOptions.DEFAULT);
    List<TopologyNode> gpus = h200.nodes(NodeKind.GPU);
    assertThat(gpus).hasSize(count);
    for (TopologyNode gpu : gpus) {
      assertThat(cell(paths, gpu, h200.nodes(NodeKind.NET).getFirst())).isEqualTo("PHB 1.3 3");
      for (TopologyNode peer : gpus) {
        assertThat(cell(paths, gpu, peer)).isEqualTo(gpu == peer ? "LOC 5000.0 0" : "NVL 370.8 2");
      }
    }
  }

  @Test
  void unknownSpeedsOfAVirtualMachineCountAsOldOnes() throws Exception {
    Topology vm = TopologyMachines.document(TopologyMachines.vm()).topology();
    TopologyPaths paths = TopologyPaths.of(vm, PathOptions.DEFAULT);
    TopologyNode gpu = vm.nodes(NodeKind.GPU).getFirst();
    assertThat(cell(paths, gpu, vm.nodes(NodeKind.NET).getFirst())).isEqualTo("PHB 1.3 3");
    assertThat(cell(paths, gpu, vm.nodes(NodeKind.CPU).getFirst())).isEqualTo("PHB 12.0 1");
  }

  @Test
  void nvlinkLeadsThroughOneGpuAndNoMore() throws Exception {
    Topology chain = chain(2, 2, 2);
    TopologyPaths paths = TopologyPaths.of(chain, PathOptions.DEFAULT);
    List<TopologyNode> gpus = chain.nodes(NodeKind.GPU);
    assertThat(cell(paths, gpus.get(0), gpus.get(1))).isEqualTo("NVL 40.0 1");
    assertThat(cell(paths, gpus.get(0), gpus.get(2))).isEqualTo("NVB 40.0 2");
    assertThat(paths.path(gpus.get(0), gpus.get(3)).kind()).isEqualTo(PathKind.SYS);
    TopologyPaths direct = TopologyPaths.of(chain, new PathOptions(null, null, false, true));
    assertThat(direct.path(gpus.get(0), gpus.get(2)).kind()).isEqualTo(PathKind.PHB);
  }

  @Test
  void everyPathLeadsFromItsStartToItsEnd() throws Exception {
    for (String xml :
        List.of(TopologyMachines.dgx(), TopologyMachines.pcie(), TopologyMachines.h200(4))) {
      Topology topology = TopologyMachines.document(xml).topology();
      TopologyPaths paths = TopologyPaths.of(topology, PathOptions.DEFAULT);
      for (TopologyNode from : topology.nodes()) {
        for (TopologyNode to : topology.nodes(NodeKind.GPU)) {
          TopologyPath path = paths.path(from, to);
          TopologyNode at = from;
          float narrowest = 5000f;
          for (TopologyLink link : path.links()) {
            assertThat(at.links()).contains(link);
            narrowest = Math.min(narrowest, link.bandwidth());
            at = link.to();
          }
          assertThat(at).isSameAs(to);
          assertThat(path.bandwidth()).isEqualTo(narrowest);
        }
      }
    }
  }

  /** Returns GPUs with NVLinks to the next one each, the last one below a CPU of its own. */
  private static Topology chain(int... links) throws Exception {
    StringBuilder xml = new StringBuilder("<system version=\"1\">");
    xml.append("<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\">");
    for (int i = 0; i <= links.length; i++) {
      if (i == links.length) {
        xml.append("</cpu><cpu numaid=\"1\" arch=\"x86_64\" vendor=\"GenuineIntel\">");
      }
      xml.append("<pci busid=\"0000:0" + i + ":00.0\" class=\"0x030200\"");
      xml.append(" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"" + i + "\"");
      xml.append(" sm=\"80\" rank=\"" + i + "\" gdr=\"1\">");
      List<Integer> peers = new ArrayList<>();
      if (i > 0) {
        peers.add(i - 1);
      }
      if (i < links.length) {
        peers.add(i + 1);
      }
      for (int peer : peers) {
        int count = links[Math.min(peer, i)];
        xml.append("<nvlink target=\"0000:0" + peer + ":00.0\" count=\"" + count + "\"");
        xml.append(" tclass=\"0x030200\"/>");
      }
      xml.append("</gpu></pci>");
    }
    return TopologyMachines.document(xml + "</cpu></system>").topology();
  }

  private static String cell(TopologyPaths paths, TopologyNode from, TopologyNode to) {
    TopologyPath path = paths.path(from, to);
    return String.format("%s %.1f %d", path.kind(), path.bandwidth(), path.hops());
  }
}
