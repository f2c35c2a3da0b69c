// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.lang.foreign.MemorySegment;

/** Work on a range, in pieces, so that a long one does not keep a worker from other streams. */
final class ElementWork implements StreamWork {
  /** Does one piece. */
  @FunctionalInterface
  interface Piece {
    void apply(long from, long count);
  }

  private static final long PIECE_BYTES = 256L << 10;

  private final long total;
  private final long most;
  private final Piece piece;
  private long at;

  private ElementWork(long total, long elementSize, Piece piece) {
    this.total = total;
    this.most = PIECE_BYTES / elementSize;
    this.piece = piece;
  }

  static StreamOperation of(long count, long elementSize, Piece piece) {
    return () -> new ElementWork(count, elementSize, piece);
  }

  static StreamOperation copy(MemorySegment src, MemorySegment dst) {
    return of(src.byteSize(), 1, (from, count) -> MemorySegment.copy(src, from, dst, from, count));
  }

  static StreamOperation fill(MemorySegment dst, byte value) {
    return of(dst.byteSize(), 1, (from, count) -> dst.asSlice(from, count).fill(value));
  }

  @Override
  public Progress advance() {
    long count = Math.min(most, total - at);
    if (count > 0) {
      piece.apply(at, count);
      at += count;
    }
    return at == total ? Progress.DONE : Progress.MORE;
  }
}
