// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Buffers that consist of one block for each rank. */
final class Blocks {
  /** nccl-tests keeps blocks aligned to so many bytes, and leaves the rest of a size out. */
  private static final int ALIGNMENT = 16;

  private Blocks() {}

  /** Returns the elements of each of {@code ranks} blocks. */
  static long length(long elements, DataType type, int ranks) {
    return elements / ranks & -(long) (ALIGNMENT / type.size());
  }

  /** Returns a buffer's only block: a rank's contribution, or the reduction, from an element on. */
  static List<Piece> one(PerfJob job, int source, long from) {
    return List.of(new Piece(0, job.count(), source, from));
  }

  /** Returns a buffer's blocks: the same stretch of every rank's contribution, by rank. */
  static List<Piece> ofAllRanks(PerfJob job, long from) {
    List<Piece> pieces = new ArrayList<>();
    for (int rank = 0; rank < job.ranks(); rank++) {
      pieces.add(new Piece(rank * job.count(), job.count(), rank, from));
    }
    return pieces;
  }

  /** Returns bytes cut down to whole alignments. */
  static long aligned(double bytes) {
    return (long) bytes & -(long) ALIGNMENT;
  }

  /** Returns where blocks begin that lie one behind the other. */
  static long[] offsets(long[] counts) {
    long[] offsets = new long[counts.length];
    for (int rank = 1; rank < counts.length; rank++) {
      offsets[rank] = offsets[rank - 1] + counts[rank - 1];
    }
    return offsets;
  }

  /** Returns the elements of all blocks together. */
  static long total(long[] counts) {
    return LongStream.of(counts).sum();
  }

  /** Returns the bus factor of a rank that sends all blocks but its own. */
  static double busFactor(int ranks) {
    return (ranks - 1.0) / ranks;
  }
}
