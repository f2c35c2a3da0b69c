// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.session.SideThread;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Memory that a provider allocates, pins and finds. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceMemoryRules {
  private static final int[] SIZES = {1, 2, 255, 256, 257, 4095, 4096, 4097, 70_000, 1 << 20};
  private static final long ALIGNMENT = 256;

  @Rule("DEVMEM-01")
  void allocationsAreAlignedAndApart(DeviceSession session) {
    for (Device device : session.all()) {
      List<DeviceMemory> live = new ArrayList<>();
      for (int size : SIZES) {
        DeviceMemory memory = session.memory(device, size);
        aligned(session, memory, size);
        session.check(memory.kind() == MemoryKind.DEVICE, "allocate gave %s", memory.kind());
        session.check(memory.device() == device, "the memory's device is another one");
        live.add(memory);
      }
      apart(session, live);
    }
  }

  private static void aligned(DeviceSession session, DeviceMemory memory, long size) {
    session.check(
        memory.address() != 0 && memory.address() % ALIGNMENT == 0,
        "memory lies at 0x%x, which 256 does not divide",
        memory.address());
    session.check(memory.size() == size, "memory of %d bytes has the size %d", size, memory.size());
  }

  private static void apart(DeviceSession session, List<DeviceMemory> live) {
    live.sort(Comparator.comparing(DeviceMemory::address, Long::compareUnsigned));
    for (int i = 1; i < live.size(); i++) {
      DeviceMemory before = live.get(i - 1);
      session.check(
          live.get(i).address() - before.address() >= before.size(),
          "%d bytes at 0x%x overlap other memory at 0x%x",
          before.size(),
          before.address(),
          live.get(i).address());
    }
  }

  @Rule("DEVMEM-01")
  void allocationsKeepTheirContents(DeviceSession session) {
    List<Image> images = new ArrayList<>();
    for (int size : SIZES) {
      images.add(Image.onDevice(session, session.device(), size));
      images.add(Image.onHost(session, session.device(), size));
    }
    images.forEach(image -> image.check("other memory was allocated and written"));
  }

  @Rule("DEVMEM-02")
  void sizesThatCannotBeAreRefused(DeviceSession session) {
    Device device = session.device();
    for (long size : new long[] {0, -1, Long.MIN_VALUE}) {
      session.refuse(
          "allocate of " + size, () -> device.allocate(size), DeviceFailure.INVALID_ARGUMENT);
      session.refuse(
          "allocateHost of " + size,
          () -> device.allocateHost(size),
          DeviceFailure.INVALID_ARGUMENT);
    }
    session.refuse(
        "allocate of all the device has and a byte more",
        () -> device.allocate(device.memorySize() + 1),
        DeviceFailure.OUT_OF_MEMORY);
    session.refuse(
        "allocate of 2^62 bytes", () -> device.allocate(1L << 62), DeviceFailure.OUT_OF_MEMORY);
    session.refuse(
        "allocate of the most that a long holds",
        () -> device.allocate(Long.MAX_VALUE),
        DeviceFailure.OUT_OF_MEMORY);
    Image.onDevice(session, device, 5000).check("allocations that were refused");
  }

  @Rule("DEVMEM-03")
  void hostMemoryIsUsedByTheCpuAndAllDevices(DeviceSession session) {
    List<DeviceMemory> live = new ArrayList<>();
    for (int size : SIZES) {
      DeviceMemory memory = session.hostMemory(session.device(), size);
      aligned(session, memory, size);
      session.check(memory.kind() == MemoryKind.HOST, "allocateHost gave %s", memory.kind());
      session.check(memory.segment() != null, "segment of host memory is null");
      MemorySegment segment = session.segment(memory);
      session.check(
          segment.address() == memory.address() && segment.byteSize() == size,
          "the segment of %d bytes at 0x%x has %d bytes at 0x%x",
          size,
          memory.address(),
          segment.byteSize(),
          segment.address());
      live.add(memory);
    }
    apart(session, live);
    reachedByAll(session, session.hostMemory(session.device(), 3000));
  }

  /** Lets the CPU on another thread and each device write and read memory in turn. */
  private static void reachedByAll(DeviceSession session, DeviceMemory memory) {
    MemorySegment segment = session.segment(memory);
    for (Device device : session.all()) {
      Image image = new Image(session, device, memory);
      DeviceStream stream = session.stream(device);
      Image own = Image.onDevice(session, device, 3000);
      stream.copy(own.at(0), memory.address(), 3000);
      own.expect(0, image.part(0, 3000));
      stream.fill(image.at(100), (byte) 7, 200);
      image.expect(100, 200, (byte) 7);
      stream.copy(image.at(1000), own.at(2000), 700);
      image.expect(1000, own.part(2000, 700));
      session.finish(stream);
      own.check("a copy from host memory by " + device.name());
      SideThread thread =
          SideThread.start(
              "host",
              () -> {
                image.check("copies to host memory by " + device.name());
                segment.set(ValueLayout.JAVA_BYTE, 2999, (byte) 99);
              });
      thread.join("DEVMEM-03", session.patient(TimeUnit.SECONDS.toNanos(20)));
      image.expect(2999, 1, (byte) 99);
      image.check("a write of another thread");
    }
  }

  @Rule("DEVMEM-04")
  void theSegmentEndsWithTheMemory(DeviceSession session) {
    List<DeviceMemory> all =
        List.of(session.device().allocateHost(1000), session.device().allocate(1000));
    for (DeviceMemory memory : all) {
      MemorySegment segment = memory.segment();
      memory.close();
      if (segment != null) {
        inaccessible(session, segment, memory.kind());
      }
    }
  }

  private static void inaccessible(DeviceSession session, MemorySegment segment, MemoryKind kind) {
    // The scope is asked first: a segment that is accessible is not touched, it may be gone.
    session.check(
        !segment.scope().isAlive(), "the segment of %s memory is accessible after close", kind);
    try {
      segment.get(ValueLayout.JAVA_BYTE, 0);
    } catch (IllegalStateException e) {
      return;
    }
    throw session.broken("a byte of closed memory was read");
  }

  @Rule("DEVMEM-05")
  void findKnowsEveryByteOfLiveMemory(DeviceSession session) {
    for (Device device : session.all()) {
      for (int size : SIZES) {
        DeviceMemory memory = session.memory(device, size);
        found(session, memory, MemoryKind.DEVICE, device.index());
        found(session, session.hostMemory(device, size), MemoryKind.HOST, MemoryRange.NO_DEVICE);
      }
    }
  }

  private static void found(
      DeviceSession session, DeviceMemory memory, MemoryKind kind, int device) {
    long last = memory.size() - 1;
    Set<Long> places = new HashSet<>(List.of(0L, last, last / 2));
    for (int i = 0; i < 5; i++) {
      places.add((long) (session.random().nextDouble() * last));
    }
    for (long place : places) {
      @Nullable MemoryRange range = session.provider().find(memory.address() + place);
      if (range == null) {
        throw session.broken(
            ErrorText.of("find does not know byte %d of %d of %s memory", place, last + 1, kind));
      }
      session.check(
          range.kind() == kind && range.device() == device,
          "find takes %s memory of device %d for %s",
          kind,
          device,
          range);
      session.check(
          range.contains(memory.address(), memory.size()),
          "%s does not contain the %d bytes at 0x%x that were allocated",
          range,
          memory.size(),
          memory.address());
    }
  }

  @Rule("DEVMEM-06")
  void findKnowsNothingElse(DeviceSession session) {
    session.check(session.provider().find(0) == null, "find knows the address 0");
    MemorySegment plain = session.arena().allocate(1 << 20, 4096);
    session.check(
        session.provider().find(plain.address() + 5000) == null,
        "find knows host memory that is not registered");
    for (int i = 0; i < 20; i++) {
      for (boolean host : new boolean[] {false, true}) {
        DeviceMemory memory =
            host ? session.device().allocateHost(100_000) : session.device().allocate(100_000);
        long address = memory.address();
        memory.close();
        @Nullable MemoryRange range = session.provider().find(address + 50_000);
        session.check(
            range == null || range.address() != address || range.size() != 100_000,
            "find knows memory that is closed: %s",
            range);
      }
    }
  }

  @Rule("DEVMEM-07")
  void existingMemoryIsPinned(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.HOST_REGISTRATION);
    MemorySegment whole = session.arena().allocate(50_000, 4096);
    for (int offset : new int[] {0, 1, 255, 4096, 5001}) {
      MemorySegment segment = whole.asSlice(offset, 3000);
      byte[] content = session.noise(3000);
      MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, content.length);
      DeviceMemory memory =
          session.step("DEVMEM-07", "registerHost", () -> device.registerHost(segment));
      session.check(memory.kind() == MemoryKind.HOST, "registerHost gave %s", memory.kind());
      session.check(
          memory.address() == segment.address() && memory.size() == 3000,
          "the registration is of other bytes than the segment");
      session.check(
          segment.mismatch(MemorySegment.ofArray(content)) < 0,
          "registerHost has changed the content");
      found(session, memory, MemoryKind.HOST, MemoryRange.NO_DEVICE);
      session.refuse(
          "registerHost of the same bytes once more",
          () -> device.registerHost(segment),
          DeviceFailure.INVALID_STATE);
      reachedByAll(session, memory);
      memory.close();
      session.check(
          session.provider().find(segment.address() + 1500) == null,
          "find knows memory that is registered no more");
      segment.fill((byte) 1); // it stays the caller's
      DeviceMemory again =
          session.step("DEVMEM-07", "registerHost again", () -> device.registerHost(segment));
      again.close();
    }
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    session.refuse(
        "registerHost of an array",
        () -> device.registerHost(MemorySegment.ofArray(new byte[100])),
        wrong);
    session.refuse(
        "registerHost of 0 bytes", () -> device.registerHost(whole.asSlice(0, 0)), wrong);
  }

  @Rule("DEVMEM-10")
  void whatDoesNotLieInOneAllocationIsNotExported(DeviceSession session) {
    Device device = session.device();
    DeviceMemory memory = session.memory(device, 1 << 20);
    DeviceMemory host = session.hostMemory(device, 1 << 20);
    boolean handles = device.supports(DeviceFeature.MEMORY_HANDLES);
    boolean dmabuf = device.supports(DeviceFeature.DMABUF);
    if (!handles && !dmabuf) {
      throw session.skip(device.name() + " exports nothing");
    }
    record Piece(String what, long address, long size) {}
    long size = 1 << 20;
    MemoryRange range = session.provider().find(memory.address());
    long end = range == null ? memory.address() + size : range.address() + range.size();
    long page = 4096;
    List<Piece> wrong =
        List.of(
            new Piece("0 bytes", memory.address(), 0),
            new Piece("-1 bytes", memory.address(), -1),
            new Piece("a page more than the allocation", end - page, 2 * page),
            new Piece("2^62 bytes", memory.address(), 1L << 62),
            new Piece("an address that leads nowhere", 1 << 16, page),
            new Piece("host memory", host.address(), page));
    for (Piece piece : wrong) {
      if (handles) {
        session.refuse(
            "exportMemory of " + piece.what,
            () -> device.exportMemory(piece.address, piece.size),
            DeviceFailure.INVALID_ARGUMENT);
      }
      if (dmabuf) {
        session.refuse(
            "exportDmaBuf of " + piece.what,
            () -> device.exportDmaBuf(piece.address, piece.size),
            DeviceFailure.INVALID_ARGUMENT);
      }
    }
    if (session.devices() > 1 && handles) {
      DeviceMemory other = session.memory(session.all().get(1), 4096);
      session.refuse(
          "exportMemory of another device's memory",
          () -> device.exportMemory(other.address(), 4096),
          DeviceFailure.INVALID_ARGUMENT);
    }
  }

  /** In a process of its own, since Java has no call that closes a descriptor. */
  @Rule(value = "DEVMEM-13", in = Placement.PROCESS, needs = Need.PROC)
  void eachDmaBufIsADescriptorOfItsOwn(DeviceSession session) {
    Device device = session.device();
    session.needs(device, DeviceFeature.DMABUF);
    int page = 1 << 16; // of every page size in use
    DeviceMemory memory = session.memory(device, 4 << 20);
    long first = (memory.address() + page - 1) / page * page;
    Set<Integer> descriptors = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      int descriptor =
          session.step("DEVMEM-13", "exportDmaBuf", () -> device.exportDmaBuf(first, 2L * page));
      session.check(
          descriptor >= 0 && descriptors.add(descriptor),
          "exportDmaBuf gave descriptor %d, which is open already",
          descriptor);
      session.check(
          java.nio.file.Files.exists(
              java.nio.file.Path.of("/proc/self/fd/" + descriptor),
              java.nio.file.LinkOption.NOFOLLOW_LINKS),
          "descriptor %d is not open",
          descriptor);
    }
    DeviceFailure wrong = DeviceFailure.INVALID_ARGUMENT;
    session.refuse("exportDmaBuf of half a page", () -> device.exportDmaBuf(first, 2048), wrong);
    session.refuse(
        "exportDmaBuf inside a page", () -> device.exportDmaBuf(first + 512, page), wrong);
  }

  @Rule("DEVMEM-14")
  void aPeersMemoryIsReadAndWritten(DeviceSession session) {
    Device device = session.device();
    Device other =
        session.all().stream()
            .filter(each -> each != device && device.canAccess(each))
            .findFirst()
            .orElseThrow(() -> session.skip("there is no second device to access"));
    Image before = Image.onDevice(session, other, 9000);
    session.run("DEV-09", "enablePeerAccess", () -> device.enablePeerAccess(other));
    Image after = Image.onDevice(session, other, 9000);
    Image own = Image.onDevice(session, device, 9000);
    DeviceStream stream = session.stream(device);
    for (Image peer : List.of(before, after)) {
      session.run(
          "DEVMEM-14",
          "copies of a peer's memory",
          () -> {
            stream.copy(own.at(10), peer.at(20), 2000);
            stream.copy(peer.at(3000), own.at(5000), 2000);
            device.kernels().copy(stream, own.at(7000), peer.at(33), 1111);
            device.kernels().copy(stream, peer.at(6000), own.at(77), 1001);
            stream.fill(peer.at(8000), (byte) 3, 500);
          });
      own.expect(10, peer.part(20, 2000));
      peer.expect(3000, own.part(5000, 2000));
      own.expect(7000, peer.part(33, 1111));
      peer.expect(6000, own.part(77, 1001));
      peer.expect(8000, 500, (byte) 3);
      session.finish("DEVMEM-14", stream);
      own.check("reads of a peer's memory");
      peer.check("writes to a peer's memory");
    }
  }
}
