// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static io.nitinol.samples.cpu.Twin.PROVIDER;
import static io.nitinol.samples.cpu.Twin.assertFails;
import static io.nitinol.samples.cpu.Twin.bytesOf;
import static io.nitinol.samples.cpu.Twin.device;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** Devices and their memory; names of rules are SPEC.md's. */
class CpuMemoryTest {

  /** DEV-01 to DEV-09. */
  @Test
  void isFoundAndDescribesItsDevices() {
    CpuMemoryTest.class.getModule().addUses(DeviceProvider.class);
    assertThat(ServiceLoader.load(DeviceProvider.class))
        .anySatisfy(provider -> assertThat(provider).isInstanceOf(CpuDeviceProvider.class));
    assertThat(PROVIDER.memoryType()).isEqualTo(PointerType.HOST);
    assertThat(PROVIDER.devices()).hasSize(CpuDeviceProvider.DEVICES);
    assertThat(new CpuDeviceProvider().devices()).isEqualTo(PROVIDER.devices());
    for (Device device : PROVIDER.devices()) {
      assertThat(PROVIDER.devices().get(device.index())).isSameAs(device);
      assertThat(device.memorySize()).isPositive();
      assertThat(device.link(device).kind()).isEqualTo(DeviceLink.Kind.SELF);
    }
    assertThat(PROVIDER.devices().stream().map(Device::uuid)).doesNotHaveDuplicates();
  }

  /** DEV-10, DEVMEM-13. */
  @Test
  void refusesWhatItDoesNotSupport() {
    assertThat(device(0).supports(DeviceFeature.DMABUF)).isFalse();
    assertFails(DeviceFailure.UNSUPPORTED, () -> device(0).exportDmaBuf(4096, 4096));
  }

  /** DEVMEM-01, DEVMEM-05, DEVMEM-06. */
  @Test
  void tellsItsMemoryFromForeignMemory() {
    try (Arena arena = Arena.ofConfined()) {
      DeviceMemory memory = device(1).allocate(1000);
      long address = memory.address();
      assertThat(address % 256).isZero();
      for (long at : new long[] {0, 1, 999}) {
        assertThat(PROVIDER.find(address + at))
            .isEqualTo(new MemoryRange(MemoryKind.DEVICE, 1, address, 1000));
      }
      assertThat(PROVIDER.find(address - 1)).isNull();
      assertThat(PROVIDER.find(address + 1000)).isNull();
      assertThat(PROVIDER.find(0)).isNull();
      assertThat(PROVIDER.find(arena.allocate(8).address())).isNull();
      MemorySegment segment = bytesOf(memory);
      memory.close();
      memory.close();
      assertThat(PROVIDER.find(address)).isNull();
      assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** DEVMEM-02. */
  @Test
  void hasAnEndOfItsMemoryAndGoesOnAfterIt() {
    Device device = device(0);
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device.allocate(0));
    assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device.allocateHost(-1));
    assertFails(DeviceFailure.OUT_OF_MEMORY, () -> device.allocate(device.memorySize() + 1));
    try (DeviceMemory memory = device.allocate(64)) {
      assertThat(memory.size()).isEqualTo(64);
    }
  }

  /** DEVMEM-03, DEVMEM-07. */
  @Test
  void pinsHostMemory() {
    try (Arena arena = Arena.ofShared();
        DeviceMemory pinned = device(0).allocateHost(100)) {
      assertThat(pinned.kind()).isEqualTo(MemoryKind.HOST);
      assertThat(bytesOf(pinned).address()).isEqualTo(pinned.address()).matches(a -> a % 256 == 0);
      MemorySegment own = arena.allocate(100).fill((byte) 7).asSlice(3, 50);
      DeviceMemory registration = device(0).registerHost(own);
      assertThat(registration.address()).isEqualTo(own.address());
      assertThat(PROVIDER.find(own.address() + 49))
          .isEqualTo(new MemoryRange(MemoryKind.HOST, MemoryRange.NO_DEVICE, own.address(), 50));
      assertFails(DeviceFailure.INVALID_STATE, () -> device(1).registerHost(own.asSlice(49, 1)));
      registration.close();
      assertThat(PROVIDER.find(own.address())).isNull();
      assertThat(own.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
      assertFails(
          DeviceFailure.INVALID_ARGUMENT,
          () -> device(0).registerHost(MemorySegment.ofArray(new byte[8])));
    }
  }

  /** DEVMEM-09 to DEVMEM-12, in one process, where the twin opens handles, too. */
  @Test
  void opensPiecesByTheirHandles() {
    DeviceMemory memory = device(0).allocate(10_000);
    byte[] handle = device(0).exportMemory(memory.address() + 5001, 100);
    assertThat(handle).hasSize(PROVIDER.memoryHandleSize());
    DeviceMemory one = device(1).importMemory(handle);
    DeviceMemory two = device(0).importMemory(handle);
    bytesOf(memory).set(ValueLayout.JAVA_BYTE, 5001, (byte) 42);
    one.close();
    assertThat(two.size()).isEqualTo(100);
    assertThat(bytesOf(two).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
    two.close();
    memory.close();
    assertFails(DeviceFailure.IPC_REFUSED, () -> device(0).importMemory(handle));
  }

  /** DEVMEM-10, DEVMEM-11. */
  @Test
  void refusesWrongPiecesAndBytesThatAreNoHandle() {
    int size = PROVIDER.memoryHandleSize();
    try (DeviceMemory memory = device(0).allocate(100)) {
      long address = memory.address();
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(0).exportMemory(address, 101));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(0).exportMemory(address, 0));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(1).exportMemory(address, 1));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(0).importMemory(new byte[size]));
      assertFails(DeviceFailure.INVALID_ARGUMENT, () -> device(0).importMemory(new byte[size - 1]));
      byte[] handle = device(0).exportMemory(address, 100);
      byte[] longer = Arrays.copyOf(handle, size);
      Arrays.fill(longer, 60, 68, (byte) 0x7f); // the size
      assertFails(DeviceFailure.IPC_REFUSED, () -> device(0).importMemory(longer));
      byte[] ofAnother = Arrays.copyOf(handle, size);
      Arrays.fill(ofAnother, 20, 28, (byte) 0x11); // the process
      assertFails(DeviceFailure.IPC_REFUSED, () -> device(0).importMemory(ofAnother));
    }
  }

  /** DEV-09, DEVMEM-14: the twin is stricter than a driver. */
  @Test
  void reachesAPeersMemoryOnceAccessIsEnabled() {
    // A device of its own, since access stays enabled for the whole process.
    Device reader = new CpuDevice(3, 1 << 20, ScalarKernels.instance());
    try (DeviceMemory own = reader.allocate(8);
        DeviceMemory peers = device(2).allocate(8);
        DeviceStream stream = reader.createStream(false)) {
      bytesOf(peers).fill((byte) 9);
      bytesOf(own).fill((byte) 0);
      assertThat(reader.canAccess(device(2))).isTrue();
      assertFails(
          DeviceFailure.INVALID_ARGUMENT, () -> stream.copy(own.address(), peers.address(), 8));
      reader.enablePeerAccess(device(2));
      reader.enablePeerAccess(device(2));
      stream.copy(own.address(), peers.address(), 8);
      Twin.finish(stream);
      assertThat(bytesOf(own).get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 9);
    }
  }

  /** DEV-19: files in shared memory, most of all. */
  @Test
  void leavesNothingBehind() throws Exception {
    for (int i = 0; i < 100; i++) {
      try (DeviceMemory memory = device(0).allocate(1 + i);
          DeviceMemory again = device(0).importMemory(device(0).exportMemory(memory.address(), 1));
          DeviceStream stream = device(0).createStream(false)) {
        stream.fill(again.address(), (byte) i, 1);
        Twin.finish(stream);
      }
    }
    assertThat(Twin.filesOfMemory()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("cpu-"))
        .hasSizeLessThanOrEqualTo(4)
        .allMatch(Thread::isDaemon);
  }
}
