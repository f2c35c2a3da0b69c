// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The collectives in which each rank has a block of its own length, one behind the other in the
 * order of the ranks. Rank r's block has 2r + 1 of n² parts, cut down to 16 bytes. So the last
 * block is 2n - 1 times as long as the first. The bus factor is that of equal blocks, as that of
 * alltoallv is.
 */
enum UnevenCollective implements PerfCollective {
  /** Every rank ends with all ranks' blocks. The size is that of the result. */
  ALL_GATHER_V("allgatherv", false) {
    @Override
    public List<Piece> contribution(PerfJob job, int rank) {
      return own(job, rank);
    }

    @Override
    public List<Piece> result(PerfJob job, int rank) {
      return ofAll(job);
    }

    @Override
    public Runnable operation(
        PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
      long[] counts = counts(job);
      return session.allGatherV(send, recv, counts, Blocks.offsets(counts), job.type());
    }
  },

  /** The root ends with all ranks' blocks. The size is that of the result. */
  GATHER_V("gatherv", true) {
    @Override
    public List<Piece> contribution(PerfJob job, int rank) {
      return own(job, rank);
    }

    @Override
    public List<Piece> result(PerfJob job, int rank) {
      return rank == job.root() ? ofAll(job) : List.of();
    }

    @Override
    public Runnable operation(
        PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
      long[] counts = counts(job);
      return session.gatherV(send, recv, counts, Blocks.offsets(counts), job.type(), job.root());
    }
  },

  /** Each rank ends with its block of the root's buffer. The size is that of the root's buffer. */
  SCATTER_V("scatterv", true) {
    @Override
    public long sendLength(PerfJob job) {
      return Blocks.total(counts(job));
    }

    @Override
    public long recvLength(PerfJob job) {
      return longest(job);
    }

    @Override
    public long sendOffset(PerfJob job, int rank) {
      return 0;
    }

    @Override
    public long recvOffset(PerfJob job, int rank) {
      return Blocks.offsets(counts(job))[rank];
    }

    @Override
    public List<Piece> contribution(PerfJob job, int rank) {
      return rank == job.root() ? List.of(new Piece(0, sendLength(job), rank, 0)) : List.of();
    }

    @Override
    public List<Piece> result(PerfJob job, int rank) {
      long[] counts = counts(job);
      return List.of(new Piece(0, counts[rank], job.root(), Blocks.offsets(counts)[rank]));
    }

    @Override
    public Runnable operation(
        PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
      long[] counts = counts(job);
      return session.scatterV(send, counts, Blocks.offsets(counts), recv, job.type(), job.root());
    }
  };

  private final String label;
  private final boolean hasRoot;

  UnevenCollective(String label, boolean hasRoot) {
    this.label = label;
    this.hasRoot = hasRoot;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public boolean hasRoot() {
    return hasRoot;
  }

  @Override
  public double busFactor(int ranks) {
    return Blocks.busFactor(ranks);
  }

  @Override
  public long count(long elements, DataType type, int ranks) {
    return Blocks.length(elements, type, ranks);
  }

  @Override
  public long sendLength(PerfJob job) {
    return longest(job);
  }

  @Override
  public long recvLength(PerfJob job) {
    return Blocks.total(counts(job));
  }

  @Override
  public long sendOffset(PerfJob job, int rank) {
    return Blocks.offsets(counts(job))[rank];
  }

  private static List<Piece> own(PerfJob job, int rank) {
    return List.of(new Piece(0, counts(job)[rank], rank, 0));
  }

  private static List<Piece> ofAll(PerfJob job) {
    long[] counts = counts(job);
    long[] offsets = Blocks.offsets(counts);
    return IntStream.range(0, counts.length)
        .mapToObj(source -> new Piece(offsets[source], counts[source], source, 0))
        .toList();
  }

  private static long longest(PerfJob job) {
    return counts(job)[job.ranks() - 1];
  }

  /** Returns how many elements the block of each rank has. */
  private static long[] counts(PerfJob job) {
    double parts = (double) job.ranks() * job.ranks();
    double bytes = (double) job.count() * job.ranks() * job.type().size();
    long[] counts = new long[job.ranks()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = Blocks.aligned(bytes * (2 * rank + 1) / parts) / job.type().size();
    }
    return counts;
  }
}
