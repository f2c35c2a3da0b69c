// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.HostOperator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A rank, in a process of its own, that works on buffers of {@code Communicator.allocate}. */
final class AllocatedRank {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final Communicator comm;
  private final int count;
  private final int n;

  private AllocatedRank(Communicator comm, int count) {
    this.comm = comm;
    this.count = count;
    this.n = comm.size();
  }

  /** Where the buffers of this rank lie. */
  private record Buffers(MemorySegment input, MemorySegment output) {}

  /** Runs: rank, number of ranks, id, and what to do. */
  public static void main(String[] args) {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    try (Communicator comm = Communicator.init(UniqueId.parse(args[2]), size, rank)) {
      switch (args[3]) {
        case "bits" -> bits(comm, Integer.parseInt(args[4]));
        case "endless" -> endless(comm, Integer.parseInt(args[4]));
        case "full" -> full(comm, comm.rank() == 1 ? 1L << 50 : 4096);
        case "each" -> full(comm, Long.parseLong(args[4]));
        case "witness" -> witness(comm, Integer.parseInt(args[4]));
        default -> throw new IllegalArgumentException(args[3]);
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  /** Compares what comes over slots with what comes in place, and with buffers of both kinds. */
  private static void bits(Communicator comm, int count) {
    AllocatedRank rank = new AllocatedRank(comm, count);
    long bytes = rank.n * FLOAT.byteSize() * count;
    Arena arena = Arena.ofAuto();
    Buffers plain = new Buffers(arena.allocate(bytes, 64), arena.allocate(bytes, 64));
    float[][] slots = rank.all(plain, 0);
    rank.requireSum(slots[0]);
    Buffers allocated = new Buffers(comm.allocate(bytes), comm.allocate(bytes));
    for (int shift : new int[] {0, 3}) { // not at the beginning of the buffer, too
      rank.requireSame(slots, rank.all(allocated, shift), "allocated from element " + shift);
    }
    rank.requireSame(slots, rank.all(comm.rank() == 0 ? plain : allocated, 0), "mixed");
    Buffers half = new Buffers(plain.input, allocated.output);
    rank.requireSame(slots, rank.all(comm.rank() == 1 ? half : allocated, 0), "one plain input");
    rank.requireSame(slots, rank.all(plain, 0), "plain again");
    say("same");
  }

  /** Adds up what every rank contributes, in the order of the ranks, as every way has to. */
  private void requireSum(float[] got) {
    SplittableRandom[] all = new SplittableRandom[n];
    for (int r = 0; r < n; r++) {
      all[r] = new SplittableRandom(r);
    }
    for (int i = 0; i < got.length; i++) {
      float sum = value(all[0]);
      for (int r = 1; r < n; r++) {
        sum += value(all[r]);
      }
      if (Float.floatToRawIntBits(sum) != Float.floatToRawIntBits(got[i])) {
        throw new AssertionError("element " + i + ": expected " + sum + ", got " + got[i]);
      }
    }
  }

  private static float value(SplittableRandom random) {
    return (float) random.nextDouble(-1e6, 1e6); // no exact sums
  }

  private void requireSame(float[][] expected, float[][] got, String what) {
    for (int call = 0; call < expected.length; call++) {
      for (int i = 0; i < expected[call].length; i++) {
        if (Float.floatToRawIntBits(expected[call][i]) != Float.floatToRawIntBits(got[call][i])) {
          throw new AssertionError(
              "rank %d, %s, call %d, element %d: %s over slots, %s"
                  .formatted(comm.rank(), what, call, i, expected[call][i], got[call][i]));
        }
      }
    }
  }

  /** Runs every collective; returns the results of this rank. */
  private float[][] all(Buffers all, int shift) {
    int root = n - 1;
    MemorySegment in = all.input.asSlice(shift * FLOAT.byteSize());
    MemorySegment out = all.output.asSlice(shift * FLOAT.byteSize());
    int least = count - 3; // so that what is shifted still fits
    return new float[][] {
      reduced(in, out, least, ReductionOp.SUM),
      reduced(in, out, least, ReductionOp.AVG),
      inPlace(in, least),
      root(in, out, least, root),
      broadcast(in, out, least, root),
      gathered(in, out, least),
      scattered(in, out, least)
    };
  }

  private void fill(MemorySegment in, int elements) {
    SplittableRandom random = new SplittableRandom(comm.rank());
    for (int i = 0; i < elements; i++) {
      in.setAtIndex(FLOAT, i, value(random));
    }
  }

  private static float[] read(MemorySegment out, int elements) {
    float[] all = new float[elements];
    MemorySegment.copy(out, FLOAT, 0, all, 0, elements);
    return all;
  }

  private float[] reduced(MemorySegment in, MemorySegment out, int each, ReductionOp op) {
    fill(in, each);
    out.fill((byte) 0xff);
    comm.allReduce(in, out, each, DataType.FLOAT32, op).await();
    return read(out, each);
  }

  private float[] inPlace(MemorySegment in, int each) {
    fill(in, each);
    comm.allReduce(in, in, each, DataType.FLOAT32, ReductionOp.SUM).await();
    return read(in, each);
  }

  private float[] root(MemorySegment in, MemorySegment out, int each, int root) {
    fill(in, each);
    out.fill((byte) 0xff);
    comm.reduce(in, out, each, DataType.FLOAT32, ReductionOp.SUM, root).await();
    return comm.rank() == root ? read(out, each) : new float[0];
  }

  private float[] broadcast(MemorySegment in, MemorySegment out, int each, int root) {
    fill(in, each);
    out.fill((byte) 0xff);
    comm.broadcast(in, out, each, DataType.FLOAT32, root).await();
    return read(out, each);
  }

  private float[] gathered(MemorySegment in, MemorySegment out, int each) {
    int part = each / n;
    fill(in, part);
    out.fill((byte) 0xff);
    comm.allGather(in, out, part, DataType.FLOAT32).await();
    return read(out, part * n);
  }

  private float[] scattered(MemorySegment in, MemorySegment out, int each) {
    int part = each / n;
    fill(in, part * n);
    out.fill((byte) 0xff);
    comm.reduceScatter(in, out, part, DataType.FLOAT32, ReductionOp.SUM).await();
    return read(out, part);
  }

  /** Reduces until another rank dies. */
  private static void endless(Communicator comm, int count) {
    MemorySegment buffer = comm.allocate(2L * FLOAT.byteSize() * count);
    MemorySegment out = buffer.asSlice(FLOAT.byteSize() * count);
    try {
      for (int i = 0; ; i++) {
        comm.allReduce(buffer, out, count, DataType.FLOAT32, ReductionOp.SUM).await();
        if (i == 10) {
          say("running");
        }
      }
    } catch (CommException e) {
      say("failed " + e.failedRank() + " " + e.getMessage());
    }
    buffer.setAtIndex(FLOAT, 0, 1); // it is this rank's until the communicator is closed
    say("still there");
  }

  /**
   * Tells how the sum of a rank's operation is under way, from ordinary buffers and from allocated
   * ones: the operator, which runs in the middle of it, has the communicator describe it.
   */
  private static void witness(Communicator comm, int count) {
    long bytes = FLOAT.byteSize() * count;
    Arena arena = Arena.ofAuto();
    comm.allocate(64); // so that ordinary buffers are looked at, too
    say("ordinary " + steps(comm, arena.allocate(bytes, 64), arena.allocate(bytes, 64), count));
    say("allocated " + steps(comm, comm.allocate(bytes), comm.allocate(bytes), count));
  }

  private static String steps(Communicator comm, MemorySegment in, MemorySegment out, int count) {
    AtomicReference<String> seen = new AtomicReference<>("nothing");
    AtomicBoolean asked = new AtomicBoolean();
    HostOperator operator =
        HostOperator.ofFloats((a, b) -> {
          if (!asked.getAndSet(true)) {
            seen.set(comm.dump().replace('\n', ' '));
          }
          return a + b;
        });
    for (int i = 0; i < count; i++) {
      in.setAtIndex(FLOAT, i, 1 + i % 7);
    }
    comm.allReduce(in, out, count, DataType.FLOAT32, operator).await();
    for (int i = 0; i < count; i++) {
      float sum = out.getAtIndex(FLOAT, i);
      if (sum != comm.size() * (1 + i % 7)) {
        throw new AssertionError("element " + i + ": " + sum);
      }
    }
    return seen.get();
  }

  /** Asks for more than there is, and then for what there is. */
  private static void full(Communicator comm, long bytes) {
    try {
      comm.allocate(bytes);
      say("allocated");
    } catch (CommException e) {
      say("refused " + e.result() + " " + e.failedRank() + " " + e.getMessage());
    }
    MemorySegment buffer = comm.allocate(4096);
    buffer.setAtIndex(FLOAT, 0, 1);
    comm.allReduce(buffer, buffer, 1, DataType.FLOAT32, ReductionOp.SUM).await();
    say("sum " + buffer.getAtIndex(FLOAT, 0));
  }
}
