// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
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
      buffers.forEach(buffer -> of(buffer, 8));
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
      CollectiveCall first = of(buffer, 8);
      CollectiveCall second = of(buffer, 8);
      assertThat(of(buffer, 8)).isSameAs(second).isNotSameAs(first).isNotSameAs(of(buffer, 4));
    }
  }

  /** Buffers that the application drops must not stay in memory for the sake of a record. */
  @Test
  void buffersOfOneCallAreNotKept() throws InterruptedException {
    List<WeakReference<MemorySegment>> dropped = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      MemorySegment buffer = Arena.ofAuto().allocate(64);
      of(buffer, 8);
      dropped.add(new WeakReference<>(buffer));
    }
    for (int i = 0; i < 1000 && dropped.stream().anyMatch(each -> each.get() != null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(dropped).allMatch(each -> each.get() == null);
  }

  /** As those have that come to lie where a buffer was that the garbage collector has freed. */
  @Test
  void anotherBufferAtTheSameAddressIsNoSecondCall() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      List<WeakReference<CollectiveCall>> made = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        made.add(new WeakReference<>(of(memory.asSlice(0), 8)));
      }
      System.gc();
      assertThat(made).filteredOn(each -> each.get() != null).hasSizeLessThan(20);
    }
  }

  @Test
  void whatIsNotAskedForIsForgottenWithItsBuffers() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment once = arena.allocate(64);
      MemorySegment always = arena.allocate(64);
      of(once, 8);
      CollectiveCall first = of(once, 8);
      of(always, 8);
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
      of(buffer, 8);
      CollectiveCall first = of(buffer, 8);
      records.forget();
      assertThat(of(buffer, 8)).isNotSameAs(first);
    }
  }
}
