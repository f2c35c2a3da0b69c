// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nitinol.core.CommException;
import io.nitinol.core.log.Log;
import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The windows of two members, which are two views in this process. */
class HostWindowsTest {
  private static final long BYTES = 10_000;

  @TempDir private Path temp;

  private HostWindows zero;
  private HostWindows one;

  @BeforeEach
  void create() {
    ShmDirectory directory = new ShmDirectory(temp, Log.process());
    zero = new HostWindows(directory, 2, 0);
    one = new HostWindows(directory, 2, 1);
  }

  @AfterEach
  void close() {
    zero.close();
    one.close();
  }

  private List<MemorySegment> add(long ofZero, long ofOne) {
    SharedRegion first = zero.create(ofZero);
    SharedRegion second = one.create(ofOne);
    List<RegionHandle> handles = List.of(first.handle(), second.handle());
    List<MemorySegment> buffers = new ArrayList<>();
    buffers.add(zero.add(first, handles));
    buffers.add(one.add(second, handles));
    zero.settleLast();
    one.settleLast();
    return buffers;
  }

  @Test
  void memberSeesWhatTheOtherWritesAndNoFileIsLeft() throws Exception {
    add(BYTES, BYTES);
    List<MemorySegment> buffers = add(BYTES, 2 * BYTES);
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files.toList()).isEmpty();
    }
    MemorySegment slice = buffers.get(1).asSlice(4096);
    slice.set(ValueLayout.JAVA_LONG, 8, 77);
    long place = one.place(slice, BYTES);
    zero.require(1, place, BYTES, 1);
    MemorySegment seen = zero.memory(1, place);
    assertThat(seen.get(ValueLayout.JAVA_LONG, HostWindows.offset(place) + 8)).isEqualTo(77);
    assertThat(seen.byteSize()).isEqualTo(2 * BYTES);
  }

  @Test
  void windowThatAMemberHasNotAddedIsNotSettled() {
    SharedRegion first = zero.create(BYTES);
    SharedRegion second = one.create(BYTES);
    zero.add(first, List.of(first.handle(), second.handle()));
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(zero::settleLast);
    second.close();
  }

  @Test
  void bufferThatIsNotWhollyInsideHasNoPlace() {
    List<MemorySegment> buffers = add(BYTES, BYTES);
    MemorySegment mine = buffers.getFirst();
    assertThat(zero.place(mine, BYTES)).isNotEqualTo(HostWindows.NOWHERE);
    assertThat(zero.place(mine.asSlice(1), BYTES)).isEqualTo(HostWindows.NOWHERE);
    assertThat(zero.place(MemorySegment.NULL, 0)).isEqualTo(HostWindows.NOWHERE);
    assertThat(zero.place(buffers.get(1), 8)).as("the other's view").isEqualTo(HostWindows.NOWHERE);
  }

  @Test
  void placeThatIsNoneIsRefused() {
    List<MemorySegment> buffers = add(BYTES, BYTES);
    long place = one.place(buffers.get(1), 1);
    for (long lie : new long[] {place + 1, place + (1L << 48), -1, Long.MIN_VALUE, 5}) {
      assertThatExceptionOfType(CommException.class)
          .as("place %x", lie)
          .isThrownBy(() -> zero.require(1, lie, BYTES, 1))
          .withMessageContaining("rank 1 works on 10000 bytes of allocated buffer")
          .matches(e -> e.result() == ResultCode.INVALID_USAGE);
    }
  }

  @Test
  void windowThatWasTakenAwayIsNotSeen() {
    List<MemorySegment> buffers = add(BYTES, BYTES);
    zero.removeLast();
    assertThat(zero.count()).isZero();
    assertThat(one.place(buffers.get(1), 1)).isNotEqualTo(HostWindows.NOWHERE);
    assertThatExceptionOfType(CommException.class)
        .isThrownBy(() -> zero.require(1, one.place(buffers.get(1), 1), 1, 1));
  }
}
