// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The content of messages: each 8 bytes tell where they are in the memory of all slots. */
public final class Content {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Content() {}

  /** Fills the slots of a sender. */
  public static void fill(MemorySegment slots) {
    for (long i = 0; i < slots.byteSize() / Long.BYTES; i++) {
      slots.setAtIndex(ValueLayout.JAVA_LONG, i, (i + 1) * GOLDEN);
    }
  }

  /** Empties what messages of {@code size} bytes come into, of slots of {@code slot} bytes. */
  public static void clear(MemorySegment slots, long slot, int size) {
    for (long at = 0; at < slots.byteSize(); at += slot) {
      slots.asSlice(at, size).fill((byte) 0);
    }
  }

  /** Returns what is wrong in the first {@code count} slots; empty where nothing is. */
  public static String check(MemorySegment slots, long slot, int size, int count) {
    for (int i = 0; i < count; i++) {
      for (long at = 0; at < size; at += Long.BYTES) {
        long index = (i * slot + at) / Long.BYTES;
        if (slots.getAtIndex(ValueLayout.JAVA_LONG, index) != (index + 1) * GOLDEN) {
          return "byte " + at + " of a message of " + size + " bytes";
        }
      }
    }
    return "";
  }
}
