// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.net;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenTest {
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment memory = arena.allocate(100);
  private final HostRegion region = new HostRegion("a comm", Memory.ofHost(memory), 4096);

  private static void invalid(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
        .hasMessageContainingAll(words);
  }

  @Test
  void onlyALiveTokenOfTheOwnerIsTaken() {
    assertThat(Token.own(HostRegion.class, "a comm", region)).isSameAs(region);
    invalid(() -> Token.own(HostRegion.class, "another", region), "HostRegion", "another");
    invalid(() -> Token.own(HostRegion.class, "a comm", "a text"), "a text");
    invalid(() -> Token.own(HostRegion.class, "a comm", null), "null");
    region.end();
    invalid(() -> Token.own(HostRegion.class, "a comm", region), "no live HostRegion");
    region.reuse();
    assertThat(Token.own(HostRegion.class, "a comm", region)).isSameAs(region);
  }

  @Test
  void aRangeHasToLieInTheMemory() {
    region.check(0, 100, true);
    region.check(100, 0, true);
    invalid(() -> region.check(-1, 1, false), "1 bytes at -1", "100 bytes");
    invalid(() -> region.check(0, -1, false), "100 bytes");
    invalid(() -> region.check(1, 100, false), "100 bytes");
    invalid(() -> region.check(1, Long.MAX_VALUE, false), "100 bytes");
    invalid(() -> region.check(Long.MAX_VALUE, Long.MAX_VALUE, false), "100 bytes");
    HostRegion readOnly = new HostRegion("a comm", Memory.ofHost(memory.asReadOnly()), 4096);
    readOnly.check(0, 100, false);
    invalid(() -> readOnly.check(0, 1, true), "read-only");
    invalid(
        () -> new HostRegion("a comm", Memory.ofDevice(4096, 4096, PointerType.CUDA), 4096),
        "host");
  }

  @Test
  void aPartIsTheMemoryItself() {
    region.part(90, 92).put((byte) 1).put((byte) 2);
    assertThat(region.part(10, 91).remaining()).isEqualTo(81);
    assertThat(memory.asByteBuffer().getShort(90)).isEqualTo((short) 0x102);
  }

  /** The memory of a file without content, of which only the pages that are written exist. */
  @Test
  void memoryBehindTheLargestBufferIsReached(@TempDir Path directory) throws IOException {
    try (Arena arena = Arena.ofConfined();
        FileChannel file =
            FileChannel.open(directory.resolve("large"), CREATE_NEW, SPARSE, READ, WRITE)) {
      long size = Integer.MAX_VALUE + 100L;
      MemorySegment large = file.map(MapMode.READ_WRITE, 0, size, arena);
      invalid(() -> new HostRegion("a comm", Memory.ofHost(large), Integer.MAX_VALUE), "at most");
      HostRegion all = new HostRegion("a comm", Memory.ofHost(large), Long.MAX_VALUE);
      all.check(size - 2, 2, true);
      all.part(size - 2, size).put((byte) 1).put((byte) 2);
      assertThat(large.get(ValueLayout.JAVA_BYTE, size - 1)).isEqualTo((byte) 2);
      invalid(() -> all.check(0, HostRegion.LARGEST + 1L, false), "at most");
      invalid(() -> all.check(size - 1, 2, true), "registered");
      MemorySegment most = large.asSlice(0, Integer.MAX_VALUE);
      HostRegion whole = new HostRegion("a comm", Memory.ofHost(most), Integer.MAX_VALUE);
      assertThat(whole.part(Integer.MAX_VALUE - 1, Integer.MAX_VALUE).remaining()).isEqualTo(1);
    }
  }
}
