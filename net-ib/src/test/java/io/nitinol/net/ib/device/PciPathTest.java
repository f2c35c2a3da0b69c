// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PciPathTest {
  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "/sys/devices/pci0000:3a/0000:3b:00.0, true, /sys/devices/pci0000:3a/0000:3b:00.0",
    "/sys/devices/pci0000:3a/0000:3b:00.1, true, /sys/devices/pci0000:3a/0000:3b:00.0",
    "/sys/devices/pci0000:3a/0000:3b:02.5, true, /sys/devices/pci0000:3a/0000:3b:00.0",
    "/sys/devices/pci0000:3a/0000:3b:02.5, false, /sys/devices/pci0000:3a/0000:3b:02.0",
    "/sys/devices/pci0000:3a/10000:e1:1f.7, true, /sys/devices/pci0000:3a/10000:e1:00.0",
    "/sys/bus/vmbus/vmbus_0_11, true, /sys/bus/vmbus/vmbus_0_11",
  })
  void functionsAreOneCard(Path device, boolean mergeVfs, String expected) {
    assertThat(PciPath.ofCard(device, mergeVfs)).isEqualTo(expected);
  }

  @Test
  void aFunctionWhoseFirstIsNotVisibleIsItsOwnPlace() throws Exception {
    FakeMachine machine = new FakeMachine(root);
    machine.add(FakeCard.roce("mlx5_4"));
    Path device = machine.place("mlx5_4", "0000:3b:02.1");
    IbDevice found = machine.find().devices().getFirst();
    assertThat(found.properties().pciPath()).isEqualTo(device.toString());
    assertThat(found.ports().getFirst().pciPath())
        .isEqualTo(device.resolveSibling("0000:3b:00.0").toString());
    Files.createDirectory(device.resolveSibling("0000:3b:00.0"));
    assertThat(machine.find().devices().getFirst().properties().pciPath())
        .isEqualTo(device.resolveSibling("0000:3b:00.0").toString());
  }

  @Test
  void whatIsBelowVirtualDevicesHasNoPlace() throws Exception {
    Path virtual = root.toRealPath().resolve("sys/devices/virtual/net/veth0");
    Files.createDirectories(virtual);
    FakeMachine machine = new FakeMachine(root);
    machine.add(FakeCard.roce("rxe0"));
    Path link = machine.directory("rxe0").resolve("device");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, virtual);
    assertThat(machine.port().systemPath()).isNull();
    assertThat(machine.port().pciPath()).isNull();
  }
}
