// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.detect.DetectedNet;
import io.nitinol.core.topology.detect.FakeMachine;
import io.nitinol.core.topology.detect.SystemFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the two cards of a machine of two sockets a rank uses. */
final class NearNetsTest {
  private static final List<DetectedNet> CARDS = List.of(FakeMachine.card(0), FakeMachine.card(1));

  @TempDir private Path directory;

  private NearNets near(String gpu) throws Exception {
    SystemFiles files = FakeMachine.of(FakeMachine.twoSockets(), directory);
    return NearNets.nearGpu(files, gpu, CARDS, null, PathOptions.DEFAULT);
  }

  @Test
  void aGpuOfTheFirstSocketUsesItsCard() throws Exception {
    assertThat(near("0000:14:00.0").devices()).isEqualTo(List.of(0));
  }

  @Test
  void aGpuOfTheSecondSocketUsesTheOther() throws Exception {
    NearNets near = near("0000:25:00.0");
    assertThat(near.devices()).isEqualTo(List.of(1));
    assertThat(near.place()).isEqualTo("GPU 0000:25:00.0");
  }

  @Test
  void aGpuThatTheMachineDoesNotShowUsesAll() throws Exception {
    assertThat(near("0000:77:00.0")).isEqualTo(NearNets.ALL);
  }

  private SystemFiles bindTo(String processors) {
    List<String> lines = new ArrayList<>(FakeMachine.twoSockets());
    lines.add(
        "proc/thread-self/status = Name:\tjava|Cpus_allowed_list:\t" + processors + "|Seccomp: 0");
    return FakeMachine.of(lines, directory);
  }

  private NearNets bound(String processors) {
    return NearNets.nearProcessors(bindTo(processors), CARDS);
  }

  @Test
  void aThreadOfOneSocketUsesItsCard() {
    NearNets near = bound("8-11,14");
    assertThat(near.devices()).isEqualTo(List.of(1));
    assertThat(near.place()).isEqualTo("the processors of NUMA [1]");
  }

  @Test
  void aThreadOfBothSocketsUsesAll() {
    assertThat(bound("7-8")).isEqualTo(NearNets.ALL);
  }

  @Test
  void aThreadOfWhichNothingIsKnownUsesAll() {
    assertThat(bound("all of them")).isEqualTo(NearNets.ALL);
  }

  @Test
  void aSlowDeviceIsNotUsedForBeingNear() {
    DetectedNet far = FakeMachine.card(0);
    DetectedNet slow =
        new DetectedNet(
            "eth0", FakeMachine.card(1).pciPath(), 1, 0.5f, 1_000, 1, 2, 131_072, false, false);
    assertThat(NearNets.nearProcessors(bindTo("8-15"), List.of(far, slow))).isEqualTo(NearNets.ALL);
  }

  @Test
  void aDeviceOfWhichNobodyKnowsWhereItIsIsUsed() {
    DetectedNet near = FakeMachine.card(1);
    DetectedNet nowhere =
        new DetectedNet("bond0", null, 2, 0.5f, near.mbps(), 1, 3, 131_072, false, false);
    List<DetectedNet> nets = List.of(FakeMachine.card(0), near, nowhere);
    assertThat(NearNets.nearProcessors(bindTo("8-15"), nets).devices()).isEqualTo(List.of(1, 2));
  }

  @Test
  void gpusThatShareDevicesBeginWithDifferentOnes() throws Exception {
    SystemFiles files = FakeMachine.of(FakeMachine.twoSockets(), directory);
    DetectedNet card = FakeMachine.card(0);
    DetectedNet other =
        new DetectedNet("mlx5_2", card.pciPath(), 1, 0.5f, card.mbps(), 2, 9, 131_072, true, false);
    List<DetectedNet> nets = List.of(card, other);
    NearNets first = NearNets.nearGpu(files, "0000:14:00.0", nets, null, PathOptions.DEFAULT);
    NearNets second = NearNets.nearGpu(files, "0000:15:00.0", nets, null, PathOptions.DEFAULT);
    assertThat(first.devices()).isEqualTo(List.of(0));
    assertThat(second.devices()).isEqualTo(List.of(1));
  }
}
