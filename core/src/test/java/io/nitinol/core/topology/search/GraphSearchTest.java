// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.topology.LinkKind;
import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyLink;
import io.nitinol.core.topology.TopologyMachines;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPaths;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphSearchTest {
  private static Topology machine(String name) throws Exception {
    String xml =
        switch (name) {
          case "dgx" -> TopologyMachines.dgx();
          case "olderDgx" -> TopologyMachines.olderDgx();
          case "manyNics" -> TopologyMachines.manyNics();
          case "cube" -> TopologyMachines.cube();
          case "pcie" -> TopologyMachines.pcie();
          case "h200" -> TopologyMachines.h200(4);
          default -> TopologyMachines.vm();
        };
    return TopologyMachines.document(xml).topology();
  }

  /** Whatever is found: each GPU once in a channel, and no link carries more than it can. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          dgx,      false, 360
          dgx,      true,  320
          olderDgx, false, 240
          olderDgx, true,  48
          manyNics, false, 360
          manyNics, true,  384
          cube,     false, 60
          cube,     true,  12
          pcie,     false, 9
          pcie,     true,  9
          h200,     false, 360
          h200,     true,  1.2
          vm,       true,  1.2
          """)
  void ringsGoThroughEveryGpuWithinTheBandwidthOfTheLinks(
      String name, boolean between, double least) throws Exception {
    Topology machine = machine(name);
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    ChannelGraph ring =
        GraphSearch.all(machine, paths, between ? SearchOptions.HOSTS : SearchOptions.ONE_HOST)
            .get(GraphKind.RING);
    List<TopologyNode> gpus = machine.nodes(NodeKind.GPU);
    assertThat(ring.channels()).isNotEmpty();
    assertThat((double) ring.bandwidth()).isGreaterThanOrEqualTo(least);
    Use use = new Use(paths);
    for (GraphChannel channel : ring.channels()) {
      assertThat(new HashSet<>(channel.gpus())).isEqualTo(new HashSet<>(gpus));
      assertThat(channel.gpus()).hasSameSizeAs(gpus);
      if (between) {
        use.add(channel.in(), channel.gpus().getFirst(), ring.inter());
        use.add(channel.gpus().getLast(), channel.out(), ring.inter());
      } else if (gpus.size() > 1) {
        use.add(channel.gpus().getLast(), channel.gpus().getFirst(), ring.intra());
      }
      for (int i = 1; i < gpus.size(); i++) {
        use.add(channel.gpus().get(i - 1), channel.gpus().get(i), ring.intra());
      }
    }
    use.requireWithin();
  }

  /** Adds up what channels take of links. */
  private static final class Use {
    private final TopologyPaths paths;
    private final Map<TopologyLink, Float> taken = new IdentityHashMap<>();

    Use(TopologyPaths paths) {
      this.paths = paths;
    }

    void add(TopologyNode from, TopologyNode to, float bandwidth) {
      for (TopologyLink link : paths.path(from, to).links()) {
        if (link.kind() != LinkKind.SYS) {
          taken.merge(link, bandwidth, Float::sum);
        }
      }
    }

    void requireWithin() {
      taken.forEach(
          (link, sum) -> assertThat(sum).as("%s", link).isLessThanOrEqualTo(link.bandwidth() + 1));
    }
  }

  @ParameterizedTest
  @CsvSource({"dgx", "manyNics", "olderDgx"})
  void eachNetworkDeviceIsUsedByAGpuThatIsNear(String name) throws Exception {
    Topology machine = machine(name);
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    ChannelGraph ring = GraphSearch.all(machine, paths, SearchOptions.HOSTS).get(GraphKind.RING);
    Map<TopologyNode, Integer> used = new HashMap<>();
    for (GraphChannel channel : ring.channels()) {
      used.merge(channel.in(), 1, Integer::sum);
      assertThat(paths.path(channel.gpus().getFirst(), channel.in()).kind())
          .isEqualTo(PathKind.PIX);
    }
    assertThat(used.keySet()).isEqualTo(new HashSet<>(machine.nodes(NodeKind.NET)));
  }

  @Test
  void whereNothingIsBetterTheFirstRingIsInTheOrderOfRanks() throws Exception {
    Topology machine = machine("h200");
    HostOrders orders = orders(machine, 1);
    assertThat(orders.ring(0)).isEqualTo(List.of(0, 1, 2, 3));
  }

  @ParameterizedTest
  @CsvSource({"dgx,2", "dgx,3", "manyNics,2", "olderDgx,4", "olderDgx,5", "vm,6"})
  void hostsAreJoinedToRingsAndTreesOfAllRanksOnOneRail(String name, int hosts) throws Exception {
    Topology machine = machine(name);
    HostOrders orders = orders(machine, hosts);
    int ranks = machine.nodes(NodeKind.GPU).size() * hosts;
    for (int channel = 0; channel < orders.channels(); channel++) {
      assertThat(new HashSet<>(orders.ring(channel)))
          .isEqualTo(new HashSet<>(IntStream.range(0, ranks).boxed().toList()));
      assertThat(orders.ring(channel)).hasSize(ranks);
      List<HostOrders.Place> tree = orders.tree(channel);
      assertThat(tree).filteredOn(place -> place.up() < 0).hasSize(1);
      int children = 0;
      for (int rank = 0; rank < ranks; rank++) {
        for (int child : tree.get(rank).down()) {
          assertThat(tree.get(child).up()).as("rank %d", child).isEqualTo(rank);
          children++;
        }
        assertThat(tree.get(rank).down()).hasSizeLessThanOrEqualTo(3);
      }
      assertThat(children).isEqualTo(ranks - 1);
      for (int host = 0; host < hosts - hosts % 2; host++) {
        List<TopologyNode> rail = orders.rail(channel, host);
        if (hosts % 2 == 0) {
          assertThat(((NodeFacts.Net) rail.get(0).facts()).guid())
              .isEqualTo(((NodeFacts.Net) rail.get(1).facts()).guid());
        }
      }
    }
  }

  private static HostOrders orders(Topology machine, int hosts) {
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    Map<GraphKind, ChannelGraph> graphs =
        GraphSearch.all(machine, paths, hosts > 1 ? SearchOptions.HOSTS : SearchOptions.ONE_HOST);
    int gpus = machine.nodes(NodeKind.GPU).size();
    return new HostOrders(
        IntStream.range(0, hosts)
            .mapToObj(host ->
                new HostOrders.Host(
                    graphs.get(GraphKind.RING),
                    graphs.get(GraphKind.TREE),
                    IntStream.range(host * gpus, (host + 1) * gpus).boxed().toList()))
            .toList(),
        90);
  }

  @Test
  void withoutCrossNicAChannelLeavesOverTheCardThatItCameOver() throws Exception {
    Topology machine = machine("olderDgx");
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    ChannelGraph ring =
        GraphSearch.all(machine, paths, new SearchOptions(true, 0, false, false))
            .get(GraphKind.RING);
    assertThat(ring.crossNic()).isZero();
    assertThat(ring.channels()).allMatch(channel -> channel.in() == channel.out());
  }

  @Test
  void headsOfAnInNetworkReductionAreTheGpusNearTheDevicesThatReduce() throws Exception {
    String xml =
        TopologyMachines.dgx().replace("gdr=\"1\"/></nic>", "gdr=\"1\" coll=\"1\"/></nic>");
    Topology machine = TopologyMachines.document(xml).topology();
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    Map<GraphKind, ChannelGraph> graphs =
        GraphSearch.all(machine, paths, new SearchOptions(true, 2, true, true));
    ChannelGraph direct = graphs.get(GraphKind.COLLNET_DIRECT);
    assertThat(direct.channels()).hasSize(8);
    for (GraphChannel channel : direct.channels()) {
      assertThat(paths.path(channel.gpus().getFirst(), channel.in()).kind())
          .isEqualTo(PathKind.PIX);
    }
    assertThat(graphs.get(GraphKind.COLLNET_CHAIN).channels()).isNotEmpty();
    ChannelGraph nvls = graphs.get(GraphKind.NVLS);
    assertThat(nvls.channels().stream().map(channel -> channel.gpus().getFirst()).distinct())
        .hasSize(8);
  }

  @Test
  void seventyTwoGpusAreSearchedToo() throws Exception {
    Topology machine = TopologyMachines.document(TopologyMachines.h200(72)).topology();
    ChannelGraph ring =
        GraphSearch.all(
                machine, TopologyPaths.of(machine, PathOptions.DEFAULT), SearchOptions.ONE_HOST)
            .get(GraphKind.RING);
    assertThat((double) ring.bandwidth()).isGreaterThanOrEqualTo(360);
  }

  @Test
  void aMachineWithoutGpusIsNotSearched() throws Exception {
    Topology none =
        TopologyMachines.document(
                "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"/></system>")
            .topology();
    assertThatThrownBy(() ->
            GraphSearch.all(
                none, TopologyPaths.of(none, PathOptions.DEFAULT), SearchOptions.ONE_HOST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a search needs from 1 to 128 GPUs, and the machine has 0");
  }
}
