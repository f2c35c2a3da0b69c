// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.peer.DevicePeer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Memory that several processes use. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceSharingRules {
  private static final Set<DeviceFailure> NO_HANDLE =
      Set.of(DeviceFailure.INVALID_ARGUMENT, DeviceFailure.IPC_REFUSED);

  private static Device device(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.MEMORY_HANDLES);
    return session.device();
  }

  private static byte[] export(DeviceSession session, long address, long size) {
    byte[] handle =
        session.step(
            "DEVMEM-09", "exportMemory", () -> session.device().exportMemory(address, size));
    session.require(
        "DEVMEM-09",
        handle != null && handle.length == session.provider().memoryHandleSize(),
        "a handle has %s bytes, and memoryHandleSize is %d",
        handle == null ? "no" : handle.length,
        session.provider().memoryHandleSize());
    return handle;
  }

  @Rule(value = "DEVMEM-09", needs = Need.PROCESSES)
  void anotherProcessUsesExportedMemory(DeviceSession session) {
    Image image = Image.onDevice(session, device(session), 20_000);
    DevicePeer peer = DevicePeer.start(session);
    int number = 0;
    for (int[] piece : List.of(new int[] {0, 20_000}, new int[] {4097, 1000}, new int[] {1, 7})) {
      String id = "piece" + number++;
      long size = peer.importMemory(id, 0, export(session, image.at(piece[0]), piece[1]));
      session.check(
          size == piece[1], "memory of %d bytes has %d in another process", piece[1], size);
      int part = Math.min(piece[1], 900);
      same(session, peer.read(id, 0, part), image.part(piece[0], part), "another process read");
      byte[] written = session.noise(part);
      peer.write(id, 0, written);
      image.expect(piece[0], written);
      image.check("another process wrote into it");
      byte[] later = session.noise(part);
      image.put(piece[0], later);
      same(session, peer.read(id, 0, part), later, "another process read what came later");
      peer.close(id);
    }
    peer.release();
  }

  @Rule(value = "DEVMEM-09", needs = Need.PROCESSES)
  void memoryOfAnotherProcessIsLikeOnesOwn(DeviceSession session) {
    Device device = device(session);
    DevicePeer peer = DevicePeer.start(session);
    peer.allocate("far", 0, 10_000);
    byte[] there = session.noise(3000);
    peer.write("far", 2000, there);
    DeviceMemory memory =
        session.step(
            "DEVMEM-09", "importMemory", () -> device.importMemory(peer.export("far", 2000, 5000)));
    session.check(
        memory.size() == 5000 && memory.device() == device,
        "opened memory of 5000 bytes has %d",
        memory.size());
    Image own = Image.onDevice(session, device, 6000);
    Image host = Image.onHost(session, device, 6000);
    DeviceStream stream = session.stream(device);
    session.run(
        "DEVSTREAM-04",
        "copies of opened memory",
        () -> {
          stream.copy(own.at(100), memory.address(), 3000);
          stream.copy(host.at(33), memory.address() + 500, 2000);
          device.kernels().copy(stream, own.at(4000), memory.address() + 7, 1500);
          stream.copy(memory.address() + 3000, own.at(0), 900);
          stream.fill(memory.address() + 4000, (byte) 3, 500);
        });
    own.expect(100, there);
    host.expect(33, Arrays.copyOfRange(there, 500, 2500));
    own.expect(4000, Arrays.copyOfRange(there, 7, 1507));
    session.finish("DEVMEM-09", stream);
    own.check("copies from another process's memory");
    host.check("copies from another process's memory");
    same(session, peer.read("far", 5000, 900), own.part(0, 900), "a copy into its memory");
    byte[] threes = new byte[500];
    Arrays.fill(threes, (byte) 3);
    same(session, peer.read("far", 6000, 500), threes, "a fill of its memory");
    memory.close();
    peer.release();
  }

  private static void same(DeviceSession session, byte[] found, byte[] expected, String what) {
    int wrong = Arrays.mismatch(found, expected);
    session.check(wrong < 0, "%s: byte %d of %d is wrong", what, wrong, expected.length);
  }

  @Rule("DEVMEM-11")
  void bytesThatAreNoHandleAreRefused(DeviceSession session) {
    Device device = device(session);
    int size = session.provider().memoryHandleSize();
    Image image = Image.onDevice(session, device, 5000);
    byte[] right = export(session, image.at(0), 5000);
    for (int i = 0; i < 40; i++) {
      byte[] bytes = i == 0 ? new byte[size] : session.noise(size);
      if (i == 1) {
        Arrays.fill(bytes, (byte) 0xFF);
      }
      DeviceException refused =
          session.refuse("importMemory of no handle", () -> device.importMemory(bytes));
      session.check(
          NO_HANDLE.contains(refused.failure()),
          "importMemory of no handle failed with %s",
          refused.failure());
    }
    for (int length : new int[] {0, 1, size - 1, size + 1, 2 * size}) {
      session.refuse(
          "importMemory of " + length + " bytes",
          () -> device.importMemory(Arrays.copyOf(right, length)),
          DeviceFailure.INVALID_ARGUMENT);
    }
    image.check("handles that were refused");
  }

  @Rule(value = "DEVMEM-11", needs = Need.PROCESSES)
  void staleHandlesAreRefused(DeviceSession session) {
    Device device = device(session);
    DevicePeer peer = DevicePeer.start(session);
    DeviceMemory closed = device.allocate(5000);
    byte[] gone = export(session, closed.address(), 5000);
    closed.close();
    DeviceFailure refused = peer.refusal(0, gone);
    session.check(
        refused == DeviceFailure.IPC_REFUSED,
        "in another process, the handle of memory that was closed gave %s, expected IPC_REFUSED",
        refused);
    peer.allocate("far", 0, 5000);
    byte[] far = peer.export("far", 0, 5000);
    peer.kill();
    session.refuse(
        "importMemory of memory whose process has ended",
        () -> device.importMemory(far),
        DeviceFailure.IPC_REFUSED);
    Image.onDevice(session, device, 5000).check("handles that were refused");
  }

  @Rule(value = "DEVMEM-12", needs = Need.PROCESSES)
  void piecesAreOpenedAnyNumberOfTimes(DeviceSession session) {
    Device device = device(session);
    DevicePeer peer = DevicePeer.start(session);
    peer.allocate("far", 0, 9000);
    byte[] there = session.noise(2000);
    peer.write("far", 1000, there);
    byte[] first = peer.export("far", 1000, 2000);
    byte[] second = peer.export("far", 1500, 1000);
    List<byte[]> handles = List.of(first, second, first, second, first);
    List<DeviceMemory> open =
        handles.stream()
            .map(handle ->
                session.step("DEVMEM-12", "importMemory", () -> device.importMemory(handle)))
            .toList();
    int[] order = {2, 0, 3, 4, 1};
    for (int i = 0; i < order.length; i++) {
      for (int k = i; k < order.length; k++) {
        boolean whole = handles.get(order[k]) == first;
        byte[] expected = whole ? there : Arrays.copyOfRange(there, 500, 1500);
        same(
            session,
            session.read("DEVMEM-12", device, open.get(order[k]).address(), expected.length),
            expected,
            "memory that was opened " + order.length + " times, after " + i + " closes");
      }
      open.get(order[i]).close();
    }
    peer.release();
  }

  @Rule("DEVMEM-12")
  void aHandleOfOnesOwnIsOpenedOrRefused(DeviceSession session) {
    Device device = device(session);
    Image image = Image.onDevice(session, device, 4000);
    byte[] handle = export(session, image.at(1000), 500);
    DeviceMemory opened;
    try {
      opened = device.importMemory(handle);
    } catch (DeviceException e) {
      session.check(
          e.failure() == DeviceFailure.IPC_REFUSED,
          "a handle of this process is refused with %s, expected IPC_REFUSED",
          e.failure());
      return;
    }
    same(
        session,
        session.read("DEVMEM-12", device, opened.address(), 500),
        image.part(1000, 500),
        "memory of this process that was opened");
    opened.close();
    image.check("its own handle was opened and closed");
  }
}
