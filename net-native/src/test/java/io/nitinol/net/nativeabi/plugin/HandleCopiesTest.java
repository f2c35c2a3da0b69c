// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandleCopiesTest {
  private final HandleCopies handles = new HandleCopies(8);

  @Test
  void anAttemptHasTheSameMemoryInEachCallAndNobodyElseHasIt() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(128, 8);
      MemorySegment second = arena.allocate(128, 8);
      GuardedMemory one = handles.copy(first);
      handles.keep(one, first);
      GuardedMemory two = handles.copy(second);
      handles.keep(two, second);
      assertThat(two).isNotSameAs(one);
      first.set(ValueLayout.JAVA_BYTE, 127, (byte) 3);
      GuardedMemory again = handles.copy(first);
      assertThat(again).isSameAs(one);
      assertThat(again.bytes().get(ValueLayout.JAVA_BYTE, 127)).isEqualTo((byte) 3);
      assertThat(handles.copy(second)).isSameAs(two);
      handles.release(again);
      assertThat(handles.copy(second)).as("what has ended is used again").isSameAs(one);
    }
  }

  @Test
  void abandonedAttemptsKeepNoMoreThanSoMuch() {
    try (Arena arena = Arena.ofConfined()) {
      Set<GuardedMemory> copies = new HashSet<>();
      for (int i = 0; i < 5000; i++) {
        MemorySegment handle = arena.allocate(128, 8);
        GuardedMemory copy = handles.copy(handle);
        copies.add(copy);
        handles.keep(copy, handle);
      }
      assertThat(copies).hasSizeLessThan(1100);
    }
  }
}
