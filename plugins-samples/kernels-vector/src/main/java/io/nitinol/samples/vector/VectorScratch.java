// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One thread's memory for what is between two loops. It is freed with the thread. */
final class VectorScratch {

  private static final ThreadLocal<VectorScratch> OF_THREAD =
      ThreadLocal.withInitial(VectorScratch::new);

  /** Size of a piece: with the operands' pieces it stays in a first-level cache. */
  static final long PIECE_BYTES = 8 << 10;

  /** One vector each. */
  final MemorySegment left;

  final MemorySegment right;

  /** Contributions that are scaled before they are combined. */
  final MemorySegment piece;

  /** Numbers in binary32. */
  final MemorySegment wide;

  private VectorScratch() {
    int size = VectorFunction.VECTOR_BYTES;
    MemorySegment all = Arena.ofAuto().allocate(2 * (size + PIECE_BYTES), size);
    left = all.asSlice(0, size);
    right = all.asSlice(size, size);
    piece = all.asSlice(2L * size, PIECE_BYTES);
    wide = all.asSlice(2L * size + PIECE_BYTES, PIECE_BYTES);
  }

  static VectorScratch ofThisThread() {
    return OF_THREAD.get();
  }
}
