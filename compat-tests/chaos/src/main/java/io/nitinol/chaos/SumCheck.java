// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.Communicator;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sums integers that each rank derives from a seed, and checks every element and the surroundings.
 */
public final class SumCheck {
  private static final int GUARD = 0x5a5a5a5a;

  private SumCheck() {}

  /** Runs one all-reduce; throws AssertionError at the first wrong element. */
  public static void allReduce(Communicator comm, long count, boolean inPlace, long seed) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment send = guarded(arena, count);
      MemorySegment recv = inPlace ? send : guarded(arena, count);
      for (long i = 0; i < count; i++) {
        send.setAtIndex(ValueLayout.JAVA_INT, i + 1, value(comm.rank(), i, seed));
      }
      comm.allReduce(
              send.asSlice(4, 4 * count),
              recv.asSlice(4, 4 * count),
              count,
              DataType.INT32,
              ReductionOp.SUM)
          .await();
      for (long i = 0; i < count; i++) {
        int expected = 0;
        for (int r = 0; r < comm.size(); r++) {
          expected += value(r, i, seed);
        }
        expect(comm, recv, count, i, expected);
        if (!inPlace) {
          expect(comm, send, count, i, value(comm.rank(), i, seed));
        }
      }
      for (long edge : new long[] {-1, count}) {
        expect(comm, recv, count, edge, GUARD);
        expect(comm, send, count, edge, GUARD);
      }
    }
  }

  private static MemorySegment guarded(Arena arena, long count) {
    MemorySegment segment = arena.allocate(4 * (count + 2), 4);
    segment.setAtIndex(ValueLayout.JAVA_INT, 0, GUARD);
    segment.setAtIndex(ValueLayout.JAVA_INT, count + 1, GUARD);
    return segment;
  }

  private static void expect(
      Communicator comm, MemorySegment segment, long count, long element, int expected) {
    int found = segment.getAtIndex(ValueLayout.JAVA_INT, element + 1);
    if (found != expected) {
      throw new AssertionError(
          "rank %s of %s, %s elements, element %s: %s, expected %s"
              .formatted(comm.rank(), comm.size(), count, element, found, expected));
    }
  }

  private static int value(int rank, long element, long seed) {
    return (int) (((rank * 31L + element + seed) * 0x9e3779b97f4a7c15L) >>> 32);
  }
}
