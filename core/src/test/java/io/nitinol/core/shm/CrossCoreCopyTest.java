// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossCoreCopyTest {
  private static final int SIZE = 300_000;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, 4096, 4097, 65_536, 65_537, 131_072, 200_003})
  void copiesTheRangeAndNothingElse(int bytes) {
    byte[] source = new byte[SIZE];
    new Random(bytes).nextBytes(source);
    byte[] expected = new byte[SIZE];
    Arrays.fill(expected, (byte) 7);
    System.arraycopy(source, 11, expected, 1013, bytes);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment from = arena.allocateFrom(ValueLayout.JAVA_BYTE, source);
      MemorySegment to = arena.allocate(SIZE).fill((byte) 7);
      CrossCoreCopy.copy(from.asReadOnly(), 11, to, 1013, bytes);
      assertArrayEquals(expected, to.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  @Test
  void theTestsHaveWhatItNeeds() {
    assertTrue(CrossCoreCopy.class.getModule().isNativeAccessEnabled());
  }

  @Test
  void takesArraysToo() {
    byte[] source = new byte[SIZE];
    new Random(1).nextBytes(source);
    byte[] target = new byte[SIZE];
    CrossCoreCopy.copy(MemorySegment.ofArray(source), 0, MemorySegment.ofArray(target), 0, SIZE);
    assertArrayEquals(source, target);
  }

  @Test
  void refusesWhatIsOutsideOrGone() {
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(SIZE);
    try (Arena other = Arena.ofShared()) {
      MemorySegment to = other.allocate(SIZE);
      assertThrows(
          IndexOutOfBoundsException.class, () -> CrossCoreCopy.copy(memory, 1, to, 0, SIZE));
      assertThrows(
          IndexOutOfBoundsException.class, () -> CrossCoreCopy.copy(memory, 0, to, 1, SIZE));
      assertThrows(
          IllegalArgumentException.class,
          () -> CrossCoreCopy.copy(memory, 0, to.asReadOnly(), 0, SIZE));
      arena.close();
      assertThrows(IllegalStateException.class, () -> CrossCoreCopy.copy(memory, 0, to, 0, SIZE));
    }
  }
}
