// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.memory.IbCommMemory;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.net.ib.verbs.DeviceList;
import io.nitinol.net.ib.verbs.VerbsDevice;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.testing.RecordingLog;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is found on real devices: in the guest, which has rxe0 at 10.77.0.1 and rxe1 at 10.77.0.2.
 */
@Tag("rdma")
class DeviceGuestTest {
  private final RecordingLog log = new RecordingLog();
  private final List<IbCard> open = new ArrayList<>();

  /** What plugins of tests before this one have open. */
  private long openBefore;

  @BeforeEach
  void devicesAreHere() throws IOException {
    openBefore = openDevices();
    try (DeviceList list = DeviceList.read()) {
      List<String> names = list.devices().stream().map(VerbsDevice::name).toList();
      assumeTrue(
          names.containsAll(List.of("rxe0", "rxe1")),
          "no rxe0 and rxe1 here but " + names + " (" + list.emptyReason() + ")");
    }
  }

  @AfterEach
  void allIsFreed() throws Exception {
    open.forEach(IbCard::close);
    if (!open.isEmpty()) {
      assertThat(run("rdma", "resource", "show"))
          .as("what the kernel holds for us")
          .doesNotContain("pid " + ProcessHandle.current().pid());
      assertThat(openDevices()).as("descriptors of devices").isEqualTo(openBefore);
    }
  }

  private static long openDevices() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(DeviceGuestTest::target)
          .filter(target -> target.contains("infiniband"))
          .count();
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // the descriptor of the listing itself
    }
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s: %s", List.of(command), output).isZero();
    return output;
  }

  private IbDeviceDiscovery.Result find(Map<String, String> variables) {
    IbDeviceDiscovery.Result result =
        IbDeviceDiscovery.find(this, IbOptions.read(Settings.of(variables)), log);
    result.devices().stream()
        .flatMap(device -> device.ports().stream())
        .map(IbPort::card)
        .distinct()
        .forEach(open::add);
    return result;
  }

  @Test
  void bothDevicesWithTheirAddresses() {
    List<IbDevice> devices = find(Map.of()).devices();
    assertThat(devices).extracting(IbDevice::name).containsExactly("rxe0", "rxe1");
    for (IbDevice device : devices) {
      IbPort port = device.ports().getFirst();
      assertThat(port.gidIndex()).isEqualTo(1);
      assertThat(GidChoice.text(port.gid())).isEqualTo("10.77.0." + (device.index() + 1));
      assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
      assertThat(port.adaptiveRouting()).isFalse();
      assertThat(port.activeMtu()).isBetween(1, 5);
      assertThat(device.properties().pciPath()).isNull();
      assertThat(device.properties().speed()).isPositive();
      assertThat(device.properties().maxComms()).isPositive();
      assertThat(device.gpuDirect()).isFalse();
      assertThat(port.card().domain().dmaBufSupported()).isIn(true, false);
    }
    assertThat(devices.get(0).properties().guid()).isNotEqualTo(devices.get(1).properties().guid());
    assertThat(log.warnings).isEmpty();
  }

  @Test
  void variablesChoose() {
    assertThat(find(Map.of("NCCL_IB_HCA", "=rxe1:1")).devices())
        .singleElement()
        .returns("rxe1", IbDevice::name);
    assertThat(find(Map.of("NCCL_IB_HCA", "^rxe1")).devices())
        .singleElement()
        .returns("rxe0", IbDevice::name);
    assertThat(find(Map.of("NCCL_IB_HCA", "mlx5")).reason())
        .isEqualTo("NCCL_IB_HCA=mlx5 lets none through of rxe0, rxe1");
    IbPort local =
        find(Map.of("NCCL_IB_GID_INDEX", "0", "NCCL_IB_HCA", "rxe0"))
            .devices()
            .getFirst()
            .ports()
            .getFirst();
    assertThat(GidChoice.isLinkLocal(local.gid())).isTrue();
    assertThat(find(Map.of("NCCL_IB_GID_INDEX", "60000")).reason())
        .contains("port 1 of rxe0", "port 1 of rxe1", "NCCL_IB_GID_INDEX=60000");
    assertThat(find(Map.of("NCCL_IB_PKEY", "7")).reason()).contains("NCCL_IB_PKEY=7");
  }

  @Test
  void twoDevicesAsOne() {
    IbDevice device = find(Map.of("NCCL_NET_FORCE_MERGE", "rxe0,rxe1")).devices().getFirst();
    assertThat(device.name()).isEqualTo("rxe0+rxe1");
    assertThat(device.properties().speed())
        .isEqualTo(device.ports().stream().mapToInt(IbPort::speed).sum());
    assertThat(device.caches()).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  void memoryIsRegisteredWithEachCardOnce(@TempDir Path directory) throws Exception {
    IbDevice device = find(Map.of("NCCL_NET_FORCE_MERGE", "rxe0,rxe1")).devices().getFirst();
    Path file = Files.write(directory.resolve("data"), new byte[10_000]);
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file)) {
      IbCommMemory memory =
          new IbCommMemory(device, device.caches(), device.properties().ptrSupport());
      MemorySegment segment = arena.allocate(1 << 20, 64);
      RegisteredMemory all = memory.register(Memory.ofHost(segment));
      RegisteredMemory part = memory.register(Memory.ofHost(segment.asSlice(5000, 777)));
      assertThat(part.rkey(1)).isEqualTo(all.rkey(1));
      assertThat(all.isReadOnly()).isFalse();
      // Pages that the system lets nobody write to, so that only a region for reading is possible.
      RegisteredMemory fixed =
          memory.register(
              Memory.ofHost(channel.map(FileChannel.MapMode.READ_ONLY, 0, 10_000, arena)));
      assertThat(fixed.isReadOnly()).isTrue();
      assertThat(device.caches()).allMatch(cache -> cache.regions() == 2);
      memory.deregister(all);
      assertThat(device.caches()).allMatch(cache -> cache.regions() == 2);
      memory.close();
      assertThat(device.caches()).allMatch(cache -> cache.regions() == 0);
    }
  }

  @Test
  void aPortThatGoesDownIsSeen() throws Exception {
    run("ip", "link", "add", "dummy7", "type", "dummy");
    try {
      run("ip", "link", "set", "dummy7", "up");
      run("rdma", "link", "add", "rxe7", "type", "rxe", "netdev", "dummy7");
      IbPort port = find(Map.of("NCCL_IB_HCA", "rxe7")).devices().getFirst().ports().getFirst();
      List<String> told = new CopyOnWriteArrayList<>();
      AsyncEvents.Watch watch = port.card().events().watch(told::add);
      assertThat(port.isDown()).isFalse();
      run("ip", "link", "set", "dummy7", "down");
      await(port, true);
      assertThat(log.warnings)
          .anyMatch(line -> line.contains("asynchronous event PORT_ERR on rxe7:1"));
      assertThat(find(Map.of("NCCL_IB_HCA", "rxe7")).reason()).isEqualTo("port 1 of rxe7 is DOWN");
      run("ip", "link", "set", "dummy7", "up");
      await(port, false);
      assertThat(told).isEmpty();
      watch.close();
      open.forEach(IbCard::close);
    } finally {
      run("rdma", "link", "delete", "rxe7");
      run("ip", "link", "delete", "dummy7");
    }
  }

  private static void await(IbPort port, boolean down) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (port.isDown() != down && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(port.isDown()).isEqualTo(down);
  }

  /** Without the power to override modes, root is refused by a file that lets nobody in. */
  @Test
  void withoutPermissionThatIsTheReason() throws Exception {
    List<Path> files =
        List.of(Path.of("/dev/infiniband/uverbs0"), Path.of("/dev/infiniband/uverbs1"));
    for (Path file : files) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    }
    try {
      assertThat(
              run(
                  "setpriv",
                  "--bounding-set=-dac_override,-dac_read_search",
                  "java",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  DiscoveryProgram.class.getName()))
          .contains(
              "rxe0 cannot be used: permission denied on /dev/infiniband/uverbs0 (is this user in"
                  + " the group that the file belongs to, usually rdma?); rxe1 cannot be used:");
    } finally {
      for (Path file : files) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
      }
    }
  }
}
