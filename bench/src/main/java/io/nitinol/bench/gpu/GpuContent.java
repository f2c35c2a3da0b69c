// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What ranks send, and what must come out. Element i of rank r is (7 i + 131 r) mod 1021, so that
 * sums are exact in every order and any part of any result is a part of a table.
 */
final class GpuContent implements AutoCloseable {
  private static final int PERIOD = 1021;

  /** How many elements are compared at once. */
  private static final long CHUNK = 4096L * PERIOD;

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final int ranks;
  private final Arena arena = Arena.ofShared();

  /** By rank what it sends, then the sum; each of a chunk and a period. */
  private final List<MemorySegment> tables = new ArrayList<>();

  private final DeviceMemory pinned;
  private final MemorySegment staging;

  GpuContent(Device device, int ranks) {
    this.ranks = ranks;
    for (int rank = 0; rank <= ranks; rank++) {
      tables.add(table(rank));
    }
    pinned = device.allocateHost(CHUNK * FLOAT.byteSize());
    staging = Objects.requireNonNull(pinned.segment());
  }

  private MemorySegment table(int rank) {
    MemorySegment table = arena.allocate((CHUNK + PERIOD) * FLOAT.byteSize(), 64);
    for (int i = 0; i < PERIOD; i++) {
      float value = 0;
      for (int r = rank < ranks ? rank : 0; r <= Math.min(rank, ranks - 1); r++) {
        value += (i * 7 + r * 131) % PERIOD;
      }
      table.setAtIndex(FLOAT, i, value);
    }
    for (long at = PERIOD; at < CHUNK + PERIOD; at += PERIOD) {
      MemorySegment.copy(table, 0, table, at * Float.BYTES, PERIOD * FLOAT.byteSize());
    }
    return table;
  }

  /** Fills a rank's input. */
  void fill(GpuRank rank) {
    MemorySegment.copy(tables.get(rank.number()), 0, staging, 0, CHUNK * FLOAT.byteSize());
    long size = rank.in().size();
    for (long at = 0; at < size; at += CHUNK * Float.BYTES) {
      rank.stream()
          .copy(
              rank.in().address() + at, pinned.address(), Math.min(size - at, CHUNK * Float.BYTES));
    }
    rank.finish("fill");
  }

  /** Compares all elements of a rank's output; returns what is wrong, or null. */
  @Nullable String check(GpuRank rank, GpuOperation operation, long count) {
    int number = rank.number();
    return switch (operation) {
      case ALL_REDUCE -> compare(rank, 0, count, ranks, 0);
      case REDUCE -> number == 0 ? compare(rank, 0, count, ranks, 0) : null;
      case REDUCE_SCATTER -> compare(rank, 0, count, ranks, number * count);
      case BROADCAST -> compare(rank, 0, count, 0, 0);
      case SEND_RECV -> compare(rank, 0, count, (number + ranks - 1) % ranks, 0);
      case ALL_GATHER, ALL_TO_ALL -> {
        String wrong = null;
        for (int peer = 0; peer < ranks && wrong == null; peer++) {
          long place = operation == GpuOperation.ALL_TO_ALL ? number * count : 0;
          wrong = compare(rank, peer * count, count, peer, place);
        }
        yield wrong;
      }
    };
  }

  /** Compares a part of the output with a table, from a place on. */
  private @Nullable String compare(GpuRank rank, long from, long count, int table, long place) {
    for (long at = 0; at < count; at += CHUNK) {
      long size = Math.min(count - at, CHUNK) * Float.BYTES;
      rank.stream().copy(pinned.address(), rank.out().address() + (from + at) * Float.BYTES, size);
      rank.finish("check");
      long begin = (place + at) % PERIOD * Float.BYTES;
      MemorySegment wanted = tables.get(table).asSlice(begin, size);
      long wrong = MemorySegment.mismatch(staging, 0, size, wanted, 0, size);
      if (wrong >= 0) {
        long i = wrong / Float.BYTES;
        return "wrong rank %d, element %d: %s, expected %s"
            .formatted(
                rank.number(),
                from + at + i,
                staging.getAtIndex(FLOAT, i),
                wanted.getAtIndex(FLOAT, i));
      }
    }
    return null;
  }

  @Override
  public void close() {
    pinned.close();
    arena.close();
  }
}
