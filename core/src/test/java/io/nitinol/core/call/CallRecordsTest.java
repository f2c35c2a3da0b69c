// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallRecordsTest {
  private final CallRecords records = new CallRecords();

  private CollectiveCall of(MemorySegment buffer, long count) {
    return records.of(Collective.ALL_REDUCE, buffer, buffer, count, DataType.FLOAT32, 0, null, 0);
  }

  @Test
  void aLoopOverManyBuffersGetsTheSameRecords() {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> buffers = new ArrayList<>();
      for (int i = 0; i < 256; i++) {
        buffers.add(arena.allocate(4096, 64));
      }
      List<CollectiveCall> first = buffers.stream().map(buffer -> of(buffer, 8)).toList();
      int again = 0;
      for (int loop = 0; loop < 10; loop++) {
        for (int i = 0; i < buffers.size(); i++) {
          again += of(buffers.get(i), 8) == first.get(i) ? 1 : 0;
        }
      }
      assertThat(again).as("of 2560 calls").isGreaterThan(2400);
    }
  }

  @Test
  void anotherCountIsAnotherRecord() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(64);
      assertThat(of(buffer, 8)).isSameAs(of(buffer, 8)).isNotSameAs(of(buffer, 4));
    }
  }

  @Test
  void whatIsNotAskedForIsForgottenWithItsBuffers() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment once = arena.allocate(64);
      MemorySegment always = arena.allocate(64);
      CollectiveCall first = of(once, 8);
      CollectiveCall kept = of(always, 8);
      for (int i = 0; i < 1100; i++) {
        assertThat(of(always, 8)).isSameAs(kept);
      }
      assertThat(of(once, 8)).isNotSameAs(first);
    }
  }

  @Test
  void aClosedCommunicatorForgetsAll() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(64);
      CollectiveCall first = of(buffer, 8);
      records.forget();
      assertThat(of(buffer, 8)).isNotSameAs(first);
    }
  }
}
