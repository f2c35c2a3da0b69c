// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** The content of messages. */
final class Pattern {
  private Pattern() {}

  static MemorySegment fill(MemorySegment memory) {
    SplittableRandom random = new SplittableRandom(42);
    for (long i = 0; i < memory.byteSize(); i += 8) {
      memory.set(ValueLayout.JAVA_LONG, i, random.nextLong());
    }
    return memory;
  }

  static void clear(MemorySegment in, int slot, int size) {
    for (int i = 0; i < Link.SLOTS; i++) {
      in.asSlice((long) i * slot, size).fill((byte) 0);
    }
  }

  static void check(String who, MemorySegment in, MemorySegment out, int slot, int size) {
    for (int i = 0; i < Link.SLOTS; i++) {
      long at = (long) i * slot;
      long wrong = in.asSlice(at, size).mismatch(out.asSlice(at, size));
      if (wrong >= 0) {
        throw new IllegalStateException(
            who + ": byte " + wrong + " of a message of " + size + " bytes is wrong");
      }
    }
  }
}
