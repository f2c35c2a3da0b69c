// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.sim.cluster.Dragonfly;
import io.nitinol.core.sim.cluster.FatTree;
import io.nitinol.core.sim.cluster.HostType;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.cluster.SimulatedFabric;
import io.nitinol.core.sim.cluster.SingleSwitch;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.sim.workload.WorkloadText;
import io.nitinol.core.tuning.MachineCosts;
import io.nitinol.spi.Collective;
import io.nitinol.spi.config.Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final double NIC = 10_000;

  private static SimulatedCluster cluster(int hosts, int gpus, SimulatedFabric fabric) {
    return new SimulatedCluster(
        List.of(HostType.of(gpus, gpus, NIC, 100_000)), new int[hosts], fabric);
  }

  private static Simulation.Input input(
      SimulatedCluster cluster, Workload workload, String algorithm, int fold, boolean collNet) {
    List<VirtualCommunicator> groups = new ArrayList<>();
    for (Workload.Group group : workload.groups()) {
      groups.add(
          new VirtualCommunicator(
              cluster,
              group.gpus(),
              Settings.of(Map.of("NCCL_ALGO", algorithm)),
              new RecordedLog(),
              new VirtualCommunicator.Traits(false, false, collNet, MachineCosts.USUAL, 4)));
    }
    return new Simulation.Input(
        cluster, groups, workload, EngineCosts.GPU, fold, false, 10_000_000);
  }

  private static Workload one(int gpus, Collective collective, long bytes) {
    CollectiveSpec spec = new CollectiveSpec(collective, bytes, 0);
    return new Workload(
        List.of(WorkloadText.all(gpus)), List.of(new Workload.Node("one", 0, spec, 0, new int[0])));
  }

  private static SimulationResult run(Simulation.Input input) throws SimulationException {
    return new Simulation(input, new SimulationListener() {}).run();
  }

  @Test
  void aLongRingTakesWhatTheSlowestLinkNeeds() throws Exception {
    SimulatedCluster cluster = cluster(4, 2, new SingleSwitch());
    long bytes = 256L << 20;
    SimulationResult result =
        run(input(cluster, one(8, Collective.ALL_REDUCE, bytes), "ring", 0, false));
    double wire = 2.0 * 7 / 8 * bytes / NIC;
    assertThat(result.end() / 1e6).isBetween(wire, wire * 1.02);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ALL_REDUCE", "ALL_GATHER", "REDUCE_SCATTER"})
  void aFewRanksGiveTheTimeOfAll(String collective) throws Exception {
    SimulatedCluster cluster = cluster(12, 2, new FatTree(12, 2, 4, 4, NIC));
    Workload workload = one(24, Collective.valueOf(collective), 24L * 4096 * 64);
    Simulation.Input all = input(cluster, workload, "ring", 0, false);
    int fold = Symmetry.fold(cluster, all.groups(), workload);
    assertThat(fold).isEqualTo(8);
    SimulationResult every = run(all);
    SimulationResult some = run(input(cluster, workload, "ring", fold, false));
    assertThat(some.end()).isEqualTo(every.end());
    assertThat(some.transfers() * some.copies()).isEqualTo(every.transfers());
  }

  @Test
  void chunksOfDifferentSizesHaveNoSymmetry() {
    SimulatedCluster cluster = cluster(12, 2, new FatTree(12, 2, 4, 4, NIC));
    Workload workload = one(24, Collective.ALL_REDUCE, (24L << 20) + 4096);
    Simulation.Input all = input(cluster, workload, "ring", 0, false);
    assertThat(Symmetry.fold(cluster, all.groups(), workload)).isZero();
    assertThat(Symmetry.fold(cluster, all.groups(), one(24, Collective.BROADCAST, 1 << 20)))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tree", "hierarchy"})
  void twoShorterOnesPredictALongOne(String algorithm) throws Exception {
    SimulatedCluster cluster = cluster(4, 2, new FatTree(4, 2, 2, 2, NIC));
    Simulation.Input input =
        input(cluster, one(8, Collective.ALL_REDUCE, 64L << 20), algorithm, 0, false);
    Extrapolation.Prediction prediction = Extrapolation.predict(input, new SimulationListener() {});
    assertThat(prediction).isNotNull();
    double exact = run(input).end();
    assertThat(prediction.end() / exact).isCloseTo(1, within(0.02));
  }

  @Test
  void twoCommunicatorsShareTheLinks() throws Exception {
    SimulatedCluster cluster = cluster(2, 1, new SingleSwitch());
    String text = "group a 0-1\ngroup b 0-1\nall_reduce x a 64M\nall_reduce y b 64M\n";
    Workload both = WorkloadText.parse(text.getBytes(StandardCharsets.UTF_8), 2);
    double alone =
        run(input(cluster, one(2, Collective.ALL_REDUCE, 64L << 20), "ring", 0, false)).end();
    double together = run(input(cluster, both, "ring", 0, false)).end();
    assertThat(together / alone).isCloseTo(2, within(0.05));
  }

  @Test
  void aNodeBeginsWhenWhatItWaitsForIsDone() throws Exception {
    SimulatedCluster cluster = cluster(2, 1, new SingleSwitch());
    String text =
        "compute gap all 1ms\nall_reduce x all 4K after gap\ncompute end all 2ms after x\n";
    Workload workload = WorkloadText.parse(text.getBytes(StandardCharsets.UTF_8), 2);
    SimulationResult result = run(input(cluster, workload, "ring", 0, false));
    assertThat(result.nodes().get(1).begin()).isEqualTo(1_000_000_000L);
    assertThat(result.nodes().get(2).begin()).isGreaterThan(1_000_000_000L);
    assertThat(result.end() - result.nodes().get(1).end()).isEqualTo(2_000_000_000L);
  }

  @Test
  void switchesThatReduceSendEachByteOnce() throws Exception {
    SimulatedCluster cluster = cluster(4, 1, new FatTree(4, 1, 2, 2, NIC));
    long bytes = 64L << 20;
    SimulationResult result =
        run(input(cluster, one(4, Collective.ALL_REDUCE, bytes), "CollnetChain", 0, true));
    assertThat(result.end() / 1e6).isBetween(bytes / NIC, bytes / NIC * 1.1);
    for (int link = 8; link < 16; link++) { // out of and into each device
      assertThat(result.linkBytes()[link]).isCloseTo(bytes, within(bytes * 0.01));
    }
  }

  @Test
  void allToOneIsAsFastAsTheLastLink() throws Exception {
    SimulatedCluster cluster = cluster(8, 1, new SingleSwitch());
    long bytes = 64L << 20;
    SimulationResult result =
        run(input(cluster, one(8, Collective.GATHER, bytes), "ring", 0, false));
    double wire = bytes * 7.0 / 8 / NIC;
    assertThat(result.end() / 1e6).isBetween(wire, wire * 1.05);
  }

  @Test
  void aDragonflyIsWiredBothWays() {
    Dragonfly fabric = new Dragonfly(4, 3, 2, NIC, NIC);
    SimulatedCluster cluster = cluster(24, 1, fabric);
    for (int a = 0; a < 24; a++) {
      for (int b = 0; b < 24; b++) {
        if (a != b) {
          assertThat(cluster.route(a, b)).hasSizeBetween(2, 5);
          assertThat(cluster.describe(a, b)).startsWith("h" + a + "/").endsWith("h" + b + "/nic0");
          assertThat(cluster.describe(a, b).split("router", -1).length - 1)
              .isEqualTo(cluster.switches(a, b));
        }
      }
    }
  }

  @Test
  void tooMuchIsRefusedWithTheLimit() {
    SimulatedCluster cluster = cluster(4, 2, new SingleSwitch());
    Simulation.Input all = input(cluster, one(8, Collective.ALL_REDUCE, 1 << 20), "ring", 0, false);
    Simulation.Input few =
        new Simulation.Input(cluster, all.groups(), all.workload(), all.costs(), 0, false, 50);
    assertThatThrownBy(() -> run(few))
        .isInstanceOf(SimulationException.class)
        .hasMessageContaining("more than 50 transfers")
        .hasMessageContaining("--most-transfers");
  }
}
