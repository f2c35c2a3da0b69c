// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a plugin writes to, between guard bytes that tell when it wrote beside it. The bytes
 * themselves begin as zeros.
 */
public final class GuardedMemory {
  private static final long GUARD = 512;
  private static final byte PATTERN = (byte) 0xA5;
  private static final MemorySegment INTACT = Arena.global().allocate(GUARD).fill(PATTERN);

  private final MemorySegment before;
  private final MemorySegment bytes;
  private final MemorySegment after;

  /**
   * Allocates {@code size} bytes, aligned to 16, and the guards, as long as {@code arena} lives.
   */
  public GuardedMemory(Arena arena, long size) {
    MemorySegment all = arena.allocate(GUARD + size + GUARD, 16);
    before = all.asSlice(0, GUARD).fill(PATTERN);
    bytes = all.asSlice(GUARD, size);
    after = all.asSlice(GUARD + size, GUARD).fill(PATTERN);
  }

  /** Returns the bytes between the guards. */
  public MemorySegment bytes() {
    return bytes;
  }

  /** Returns the address of the first byte between the guards. */
  public long address() {
    return bytes.address();
  }

  /**
   * Looks at the guards, and mends them.
   *
   * @return how they were damaged, as in "wrote 12 bytes past the end of 64"; null where they were
   *     not
   */
  public @Nullable String damage() {
    if (after.mismatch(INTACT) >= 0) {
      long last = GUARD;
      while (after.get(ValueLayout.JAVA_BYTE, last - 1) == PATTERN) {
        last--;
      }
      after.fill(PATTERN);
      return ErrorText.of(
          "wrote %s%s bytes past the end of %s",
          last == GUARD ? "at least " : "", last, bytes.byteSize());
    }
    if (before.mismatch(INTACT) >= 0) {
      before.fill(PATTERN);
      return "wrote before the start of " + bytes.byteSize();
    }
    return null;
  }
}
