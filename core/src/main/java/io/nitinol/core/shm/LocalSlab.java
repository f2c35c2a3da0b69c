// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is cut into pieces for {@link LocalRegion}s and freed when all of them are closed. A
 * shared arena costs a halt of all threads when it is closed, and the ranks of one process may have
 * thousands of connections.
 */
final class LocalSlab {
  private static final long BYTES = 8L << 20;

  /** Larger pieces get a slab of their own. */
  private static final long LARGEST_PIECE = BYTES / 8;

  private static final Object LOCK = new Object();

  /** Where the next pieces come from; guarded by LOCK, as is all of a slab that changes. */
  private static @Nullable LocalSlab current;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private long used;
  private int pieces;

  private LocalSlab(long bytes) {
    try {
      memory = arena.allocate(bytes, 4096);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  /** A piece of a slab, all zeroes at first; to be released once. */
  record Piece(LocalSlab slab, MemorySegment memory) {
    void release() {
      slab.releasePiece();
    }
  }

  /** Returns a piece of {@code size} bytes on pages of its own. */
  static Piece allocate(long size) {
    if (size > LARGEST_PIECE) {
      LocalSlab own = new LocalSlab(size);
      synchronized (LOCK) {
        return own.cut(size);
      }
    }
    synchronized (LOCK) {
      LocalSlab from = current;
      if (from == null || from.used + size > BYTES) {
        from = new LocalSlab(BYTES);
        current = from;
      }
      return from.cut(size);
    }
  }

  private Piece cut(long size) {
    MemorySegment piece = memory.asSlice(used, size, 4096);
    used = Math.ceilDiv(used + size, 4096L) * 4096;
    pieces++;
    return new Piece(this, piece);
  }

  private void releasePiece() {
    synchronized (LOCK) {
      pieces--;
      if (pieces > 0) {
        return;
      }
      if (current == this) {
        current = null;
      }
    }
    arena.close();
  }
}
