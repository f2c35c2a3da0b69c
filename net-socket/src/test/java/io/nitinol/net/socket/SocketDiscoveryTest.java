// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.testing.RecordingLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices, their properties, and how the plugin is found. */
class SocketDiscoveryTest {
  @TempDir Path sysfs;

  @ParameterizedTest
  @CsvSource({"25000,25000", "-1,10000", "0,10000", "fast,10000", "4294967295,10000"})
  void speedComesFromSysfs(String content, int expected) throws Exception {
    Files.createDirectories(sysfs.resolve("eth7"));
    Files.writeString(sysfs.resolve("eth7/speed"), content + "\n");
    assertThat(SocketDiscovery.describe(0, "eth7", sysfs).speed()).isEqualTo(expected);
  }

  @Test
  void pathOfTheCard() throws Exception {
    Path card = Files.createDirectories(sysfs.resolve("devices/pci0000:00/0000:00:05.0"));
    Files.createDirectories(sysfs.resolve("eth7"));
    Files.createSymbolicLink(sysfs.resolve("eth7/device"), card);
    NetProperties properties = SocketDiscovery.describe(3, "eth7", sysfs);
    assertThat(properties.pciPath()).isEqualTo(card.toRealPath().toString());
    assertThat(properties).isEqualTo(expected("eth7", properties.pciPath(), 3, 10_000));
    assertThat(SocketDiscovery.describe(0, "veth1", sysfs).pciPath()).isNull();
  }

  @Test
  void theLoopbackDevice() {
    try (Loopback pair = new Loopback()) {
      assertThat(pair.net.devices()).isEqualTo(1);
      assertThat(pair.net.getProperties(0)).isEqualTo(expected("lo", null, 0, 32_000));
      assertThat(pair.log.lines).anyMatch(l -> l.contains("[0]lo:127.0.0.1"));
    }
  }

  /** Rail and plane are not known, messages have up to 32 chunks of 1 GiB. */
  private static NetProperties expected(
      String name, @Nullable String pciPath, int index, int speed) {
    return new NetProperties(
        name,
        pciPath,
        index,
        1,
        false,
        false,
        speed,
        0,
        0f,
        65_536,
        1,
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(index),
        32L << 30,
        512L << 20,
        1,
        (short) -1,
        (short) -1);
  }

  @Test
  void noInterfaceIsNoFailure() {
    SocketNet net = new SocketNet(Settings.of(Map.of("NCCL_SOCKET_IFNAME", "=none77")));
    RecordingLog log = new RecordingLog();
    net.init(7, NetCommConfig.DEFAULT, log, null);
    assertThat(net.devices()).isZero();
    assertThat(log.lines)
        .anyMatch(l -> l.contains("NCCL_SOCKET_IFNAME=none77") || l.contains("=none77"));
  }

  @Test
  void nothingBeforeInitButTheName() {
    SocketNet net = new SocketNet();
    assertThat(net.name()).isEqualTo("Socket");
    assertFails(ResultCode.INVALID_USAGE, net::devices, "not initialized");
  }

  @Test
  void foundByServiceLoader() {
    SocketDiscoveryTest.class.getModule().addUses(Net.class).addUses(VariableCatalog.class);
    assertThat(ServiceLoader.load(Net.class).stream().map(ServiceLoader.Provider::type))
        .anyMatch(SocketNet.class::equals);
    assertThat(ServiceLoader.load(VariableCatalog.class).stream())
        .anyMatch(p -> p.type().equals(SocketVariables.class));
  }

  @Test
  void loopbackIsNotTakenForASlowWire() throws Exception {
    Files.createDirectories(sysfs.resolve("lo"));
    Files.writeString(sysfs.resolve("lo/type"), "772\n");
    assertThat(SocketDiscovery.describe(0, "lo", sysfs).speed()).isEqualTo(32_000);
    Files.writeString(sysfs.resolve("lo/type"), "1\n");
    assertThat(SocketDiscovery.describe(0, "lo", sysfs).speed()).isEqualTo(10_000);
  }

  @Test
  void variablesAreDeclaredOnceAndComplete() {
    SocketVariables catalog = new SocketVariables();
    assertThat(catalog.owner()).isEqualTo("net-socket");
    assertThat(catalog.variables()).doesNotHaveDuplicates().isNotEmpty();
    assertThat(catalog.variables())
        .allMatch(v -> v.name().matches("(NCCL|NITINOL)_(SOCKET|NSOCKS)_[A-Z_]+"));
    SocketOptions options = SocketOptions.read(Settings.of(Map.of()));
    assertThat(options.connecting().retries().value()).isEqualTo(34);
    assertThat(options.connecting().pauseMillis().value()).isEqualTo(100);
  }
}
