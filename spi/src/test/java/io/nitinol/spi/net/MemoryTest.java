// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.PointerType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class MemoryTest {

  @Test
  void hostMemoryIsItsSegment() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(100).asSlice(7, 50);
      Memory memory = Memory.ofHost(segment);
      assertThat(memory.segment()).isSameAs(segment);
      assertThat(memory.address()).isEqualTo(segment.address());
      assertThat(memory.size()).isEqualTo(50);
      assertThat(memory.type()).isEqualTo(PointerType.HOST);
    }
  }

  @Test
  void theJavaHeapCannotBeRegistered() {
    assertThatThrownBy(() -> Memory.ofHost(MemorySegment.ofArray(new byte[8])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("native segment");
  }

  @Test
  void deviceMemoryHasNoSegment() {
    Memory memory = Memory.ofDevice(0x7f00_0000_1000L, 4096, PointerType.CUDA);
    assertThat(memory.segment()).isNull();
    assertThat(memory.address()).isEqualTo(0x7f00_0000_1000L);
    assertThat(memory.size()).isEqualTo(4096);
    assertThat(memory).hasToString("CUDA memory 0x7f0000001000+4096");
  }

  @Test
  void deviceMemoryOfTheWrongKindOrSizeIsRefused() {
    assertThatThrownBy(() -> Memory.ofDevice(0x1000, 1, PointerType.HOST))
        .hasMessageContaining("ofHost");
    assertThatThrownBy(() -> Memory.ofDevice(0x1000, 1, PointerType.DMABUF))
        .hasMessageContaining("CUDA");
    assertThatThrownBy(() -> Memory.ofDevice(0x1000, -1, PointerType.CUDA))
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> Memory.ofDevice(-1, 2, PointerType.CUDA))
        .hasMessageContaining("wraps");
    assertThat(Memory.ofDevice(-2, 1, PointerType.CUDA).size()).isEqualTo(1); // the highest byte
  }
}
