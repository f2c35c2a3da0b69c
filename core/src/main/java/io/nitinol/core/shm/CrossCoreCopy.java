// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.core.shm.ffi.ShmLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Copies into memory that another processor has read last and will read next. An ordinary store has
 * to fetch each cache line from that processor first, only to overwrite it; the C library's {@code
 * memcpy} uses the processor's string instructions from some 2 KiB on, which know that the whole
 * line will be written and fetch nothing. Between cores that share no cache this takes a third of
 * the time of the loops that the JVM generates; between those that do, it costs nothing.
 */
public final class CrossCoreCopy {
  /** Shorter copies are left to the JVM, whose loop needs no call. */
  private static final long LEAST = 4 << 10;

  /**
   * What one call copies: bounds how long a garbage collection may have to wait for it, and stays
   * below the sizes from which the C library turns to other instructions.
   */
  private static final long PIECE = 64 << 10;

  /** Null where the JVM's copy has to do, which is slower. */
  private static final @Nullable MethodHandle MEMCPY = ShmLibrary.memcpy();

  private CrossCoreCopy() {}

  /**
   * Copies bytes as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)}
   * does, except that the two ranges must not overlap.
   */
  public static void copy(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
    MethodHandle memcpy = MEMCPY;
    boolean plain = bytes < LEAST || !from.isNative() || !to.isNative() || to.isReadOnly();
    if (plain || memcpy == null) {
      MemorySegment.copy(from, fromOffset, to, toOffset, bytes);
      return;
    }
    for (long at = 0; at < bytes; at += PIECE) {
      long piece = Math.min(PIECE, bytes - at);
      MemorySegment source = from.asSlice(fromOffset + at, piece);
      MemorySegment target = to.asSlice(toOffset + at, piece);
      call(memcpy, target, source, piece);
    }
  }

  private static void call(MethodHandle memcpy, MemorySegment to, MemorySegment from, long bytes) {
    try {
      memcpy.invokeExact(to, from, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("memcpy throws nothing that is checked", e);
    }
  }
}
