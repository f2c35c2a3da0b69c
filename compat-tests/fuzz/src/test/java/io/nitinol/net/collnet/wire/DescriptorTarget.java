// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The operations that children announce to a switch. What is let through is cut into segments that
 * lie inside it and cover it, whichever child brings which ranks.
 */
public final class DescriptorTarget implements FuzzTarget {
  private static final int RANKS = 6;
  private static final int SEGMENT = Segments.LEAST_BYTES;

  @Override
  public void run(byte[] input) {
    Descriptor descriptor = new Descriptor();
    MemorySegment message = MemorySegment.ofArray(input);
    String problem = descriptor.read(message, 0, input.length, RANKS);
    if (problem != null) {
      FuzzTarget.require(!problem.isBlank(), "no reason");
      return;
    }
    MemorySegment again = MemorySegment.ofArray(new byte[Descriptor.BYTES]);
    descriptor.write(again, 0);
    FuzzTarget.require(Descriptor.isSame(again, 0, message, 0), "another operation: " + descriptor);
    for (int[] ranks : new int[][] {{0}, {2, 3}, {1, 5}, {0, 1, 2, 3, 4, 5}}) {
      segments(descriptor, new Segments(ranks, SEGMENT), ranks);
    }
  }

  private static void segments(Descriptor of, Segments segments, int[] ranks) {
    long count = segments.count(of);
    FuzzTarget.require(count >= 1 && segments.isLast(of, count - 1), "no last segment");
    for (long segment : new long[] {0, count / 2, count - 1}) {
      int length = segments.length(of, segment);
      FuzzTarget.require(length >= 0 && length <= SEGMENT, "a segment of " + length);
      int up = segments.upBytes(of, segment);
      int down = segments.downBytes(of, segment);
      FuzzTarget.require(up >= 0 && up <= length, up + " bytes up of " + length);
      FuzzTarget.require(down >= 0 && down <= length, down + " bytes down of " + length);
      if (of.kind() != Collective.ALL_REDUCE) {
        int own = segments.own(of, segment);
        int start = segments.ownStart(of, segment);
        FuzzTarget.require(start >= 0 && (own == 0 || start < length), "a start at " + start);
        FuzzTarget.require(!segments.isRun() || start + own <= length, "an end behind the segment");
        FuzzTarget.require(ranks.length < RANKS || own == length, "bytes of no rank");
        byte[] whole = new byte[SEGMENT];
        byte[] parts = new byte[SEGMENT];
        FuzzTarget.require(
            segments.pack(
                    of, segment, MemorySegment.ofArray(whole), 0, MemorySegment.ofArray(parts), 0)
                == own,
            "other bytes packed");
        segments.unpack(
            of, segment, MemorySegment.ofArray(parts), 0, MemorySegment.ofArray(whole), 0);
      }
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(Descriptor.class, Segments.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        bytes(new Descriptor().allReduce(1, 9000, DataType.INT32, ReductionOp.SUM)),
        bytes(new Descriptor().allGather(2, 5000, 100, 9000)),
        bytes(
            new Descriptor().reduceScatter(3, 4096, 8, 16384, DataType.FLOAT64, ReductionOp.MAX)));
  }

  private static byte[] bytes(Descriptor of) {
    byte[] bytes = new byte[Descriptor.BYTES];
    of.write(MemorySegment.ofArray(bytes), 0);
    return Arrays.copyOf(bytes, Descriptor.BYTES + 8);
  }

  @Override
  public int mostBytes() {
    return 80;
  }
}
