// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IbCommMemoryTest {
  private static final int HOST = PointerType.HOST.mask();
  private static final int ALL = HOST | PointerType.CUDA.mask() | PointerType.DMABUF.mask();

  private static final Object DEVICE = "one device";

  private final Arena arena = Arena.ofShared();
  private final CountingCard one = new CountingCard();
  private final CountingCard two = new CountingCard();
  private final MrCache first = new MrCache(one, 4096);
  private final MrCache second = new MrCache(two, 4096);
  private final IbCommMemory memory = new IbCommMemory(DEVICE, List.of(first, second), HOST);

  private final List<FileChannel> files = new ArrayList<>();

  @AfterEach
  void free() throws IOException {
    arena.close();
    for (FileChannel file : files) {
      file.close();
    }
  }

  private MemorySegment bytes(long count) {
    return arena.allocate(count, 64);
  }

  @Test
  void eachPortHasTheKeysOfItsCard() {
    first.take(1 << 20, 10, true); // so that the two cards' keys differ
    MemorySegment segment = bytes(100);
    RegisteredMemory handle = memory.register(Memory.ofHost(segment));
    assertThat(handle.address()).isEqualTo(segment.address());
    assertThat(handle.size()).isEqualTo(100);
    assertThat(List.of(handle.lkey(0), handle.rkey(0), handle.lkey(1), handle.rkey(1)))
        .containsExactly(2, 1002, 1, 1001);
    assertThat(handle.isOf(memory)).isTrue();
    assertThat(handle.isOnHost()).isTrue();
    assertThat(handle.isReadOnly()).isFalse();
    memory.deregister(handle);
    assertThat(handle.isLive()).isFalse();
    assertThat(one.regions).hasSize(1);
    assertThat(two.regions).isEmpty();
  }

  @Test
  void portsOfOneCardShareItsRegion() {
    IbCommMemory same = new IbCommMemory(DEVICE, List.of(first, first), HOST);
    RegisteredMemory handle = same.register(Memory.ofHost(bytes(100)));
    assertThat(handle.lkey(0)).isEqualTo(handle.lkey(1));
    assertThat(one.regions).hasSize(1);
    same.deregister(handle);
    assertThat(one.regions).isEmpty();
  }

  @Test
  void commsShareRegionsAndDoNotDisturbEachOther() {
    MemorySegment segment = bytes(100);
    IbCommMemory other = new IbCommMemory(DEVICE, List.of(first, second), HOST);
    RegisteredMemory mine = memory.register(Memory.ofHost(segment));
    RegisteredMemory theirs = other.register(Memory.ofHost(segment));
    assertThat(mine.rkey(0)).isEqualTo(theirs.rkey(0));
    assertFails(ResultCode.INVALID_ARGUMENT, () -> other.deregister(mine), "not made for this");
    other.close();
    assertThat(theirs.isLive()).isFalse();
    assertThat(mine.isLive()).isTrue();
    assertThat(one.regions).hasSize(1);
    memory.deregister(mine);
    assertThat(one.regions).isEmpty();
  }

  @Test
  void aHandleIsUndoneOnce() {
    RegisteredMemory handle = memory.register(Memory.ofHost(bytes(8)));
    RegisteredMemory twin = memory.register(Memory.ofHost(bytes(8)));
    memory.deregister(handle);
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.deregister(handle), "dead");
    assertThat(twin.isLive()).isTrue();
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.deregister(null), "null");
    MemoryHandle foreign = new MemoryHandle() {};
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.deregister(foreign), "memory handle of");
  }

  @Test
  void closeUndoesWhatIsLeft() {
    memory.register(Memory.ofHost(bytes(100)));
    RegisteredMemory left = memory.register(Memory.ofHost(bytes(100_000)));
    memory.close();
    assertThat(one.regions).isEmpty();
    assertThat(two.regions).isEmpty();
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.deregister(left), "dead");
    Memory late = Memory.ofHost(bytes(1));
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.register(late), "closed");
    memory.close();
  }

  @Test
  void readOnlyMemoryIsNotRegisteredForWriting() {
    RegisteredMemory handle = memory.register(Memory.ofHost(bytes(100).asReadOnly()));
    assertThat(handle.isReadOnly()).isTrue();
    assertThat(one.regions.values()).noneMatch(CountingCard.Range::writable);
  }

  @Test
  void freedMemoryIsNotRegistered() {
    Arena own = Arena.ofShared();
    Memory freed = Memory.ofHost(own.allocate(100));
    own.close();
    assertFails(ResultCode.INVALID_USAGE, () -> memory.register(freed), "arena has been closed");
    assertThat(one.registrations).isZero();
  }

  @Test
  void eachMessageIsChecked() {
    Arena own = Arena.ofShared();
    RegisteredMemory handle = memory.register(Memory.ofHost(own.allocate(100)));
    IbCommMemory other = new IbCommMemory("another", List.of(first, second), HOST);
    handle.check(memory, 60, 40, "peer");
    handle.check(new IbCommMemory(DEVICE, List.of(first, second), HOST), 60, 40, "peer");
    assertFails(
        ResultCode.INVALID_ARGUMENT, () -> handle.check(other, 0, 1, "peer"), "another device");
    assertFails(
        ResultCode.INVALID_ARGUMENT, () -> handle.check(memory, 60, 41, "peer"), "not inside");
    assertFails(
        ResultCode.INVALID_ARGUMENT, () -> handle.check(memory, -1, 1, "peer"), "not inside");
    assertFails(
        ResultCode.INVALID_ARGUMENT, () -> handle.check(memory, 1, -1, "peer"), "not inside");
    own.close();
    assertFails(
        ResultCode.INVALID_USAGE,
        () -> handle.check(memory, 0, 1, "peer"),
        "peer: registered memory of 100 bytes is not accessible any more");
    memory.deregister(handle);
    assertFails(
        ResultCode.INVALID_ARGUMENT, () -> handle.check(memory, 0, 1, "peer"), "deregistered");
  }

  /** Which is seen by a second one, of the same age, that has nobody. */
  @Test
  void memoryOfAnAutomaticArenaLivesWithItsHandle() {
    WeakReference<MemorySegment.Scope> kept = automatic(memory::register);
    WeakReference<MemorySegment.Scope> lost = automatic(Memory::address);
    for (int i = 0; lost.get() != null && i < 100; i++) {
      System.gc();
    }
    assertThat(lost.get()).as("memory that nobody has").isNull();
    assertThat(kept.get()).as("memory that is registered").isNotNull();
    memory.close();
  }

  private static WeakReference<MemorySegment.Scope> automatic(Consumer<Memory> use) {
    MemorySegment segment = Arena.ofAuto().allocate(100);
    use.accept(Memory.ofHost(segment));
    return new WeakReference<>(segment.scope());
  }

  @Test
  void typesThatTheDeviceLacksAreRefused() {
    Memory cuda = Memory.ofDevice(1 << 20, 100, PointerType.CUDA);
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.register(cuda), "ptrSupport is 1");
    assertFails(ResultCode.INVALID_USAGE, () -> memory.registerDmaBuf(cuda, 0, 3), "dma-buf");
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.register(null), "null");
    assertThat(one.registrations).isZero();
  }

  @Test
  void memoryMayBeLargerThanAnyMessage() {
    IbCommMemory gpu = new IbCommMemory(DEVICE, List.of(first), ALL);
    Memory large = Memory.ofDevice(1L << 40, 1L << 31, PointerType.CUDA);
    gpu.deregister(gpu.register(large));
    RegisteredMemory handle = gpu.registerDmaBuf(large, 4096, 3);
    assertThat(handle.isOnHost()).isFalse();
    assertThat(one.regions.values())
        .containsExactly(new CountingCard.Range(1L << 40, 1L << 31, true, true, 4096, 3));
    assertFails(ResultCode.INVALID_ARGUMENT, () -> gpu.registerDmaBuf(large, -1, 3), "-1");
    assertFails(ResultCode.INVALID_ARGUMENT, () -> gpu.registerDmaBuf(large, 0, -1), "-1");
  }

  /** Two dma-bufs whose exporters begin at the same address; files stand for them here. */
  @Test
  void memoryOfTwoDmaBufsIsNotMistakenForEachOther(@TempDir Path folder) throws Exception {
    IbCommMemory any = new IbCommMemory(DEVICE, List.of(first), ALL);
    Memory exported = Memory.ofHost(bytes(8192));
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    int key = any.registerDmaBuf(exported, 0, open(one)).rkey(0);
    assertThat(any.registerDmaBuf(exported, 0, open(two)).rkey(0)).isNotEqualTo(key);
    assertThat(any.registerDmaBuf(exported, 4096, open(one)).rkey(0)).isNotEqualTo(key);
    assertThat(any.registerDmaBuf(exported, 0, open(one)).rkey(0)).isEqualTo(key);
  }

  /** Opens a file and returns its descriptor, which Java does not tell. */
  private int open(Path path) throws IOException {
    List<Path> before = descriptors(path);
    files.add(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    List<Path> now = descriptors(path);
    now.removeAll(before);
    return Integer.parseInt(now.getFirst().getFileName().toString());
  }

  private static List<Path> descriptors(Path of) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(each -> isLinkTo(each, of)).collect(Collectors.toList());
    }
  }

  private static boolean isLinkTo(Path descriptor, Path target) {
    try {
      return Files.readSymbolicLink(descriptor).equals(target);
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  @Test
  void whatTheSecondCardRefusesIsTakenBackFromTheFirst() {
    two.refuses = true;
    Memory host = Memory.ofHost(bytes(100));
    assertFails(ResultCode.SYSTEM_ERROR, () -> memory.register(host), "full");
    assertThat(one.registrations).isEqualTo(1);
    assertThat(one.regions).isEmpty();
    memory.close();
  }

  @Test
  void aHandleIsDeadThoughItsEndFailed() {
    RegisteredMemory handle = memory.register(Memory.ofHost(bytes(100)));
    one.refusesToEnd = true;
    assertFails(ResultCode.SYSTEM_ERROR, () -> memory.deregister(handle), "keeps 1");
    assertThat(handle.isLive()).isFalse();
    assertThat(two.regions).isEmpty();
    assertFails(ResultCode.INVALID_ARGUMENT, () -> memory.deregister(handle), "dead");
  }

  private static void assertFails(ResultCode code, ThrowingCallable call, String words) {
    assertThatExceptionOfType(NetException.class)
        .isThrownBy(call)
        .withMessageContaining(words)
        .satisfies(e -> assertThat(e.result()).isEqualTo(code));
  }
}
