// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Each rank sends a block of its own length to every rank. The size is the most that a rank sends
 * or receives.
 */
final class AllToAllV implements PerfCollective {
  private final PerfTraffic traffic;

  AllToAllV(PerfTraffic traffic) {
    this.traffic = traffic;
  }

  @Override
  public String label() {
    return "alltoallv";
  }

  @Override
  public boolean hasInPlace() {
    return false;
  }

  @Override
  public double busFactor(int ranks) {
    return Blocks.busFactor(ranks);
  }

  @Override
  public long count(long elements, DataType type, int ranks) {
    return traffic.isFixed() ? 0 : Blocks.length(elements, type, ranks);
  }

  @Override
  public long sendLength(PerfJob job) {
    long most = 0;
    for (int rank = 0; rank < job.ranks(); rank++) {
      most = Math.max(most, Blocks.total(sendCounts(job, rank)));
    }
    return most;
  }

  @Override
  public long recvLength(PerfJob job) {
    long most = 0;
    for (int rank = 0; rank < job.ranks(); rank++) {
      most = Math.max(most, Blocks.total(recvCounts(job, rank)));
    }
    return most;
  }

  @Override
  public List<Piece> contribution(PerfJob job, int rank) {
    return List.of(new Piece(0, Blocks.total(sendCounts(job, rank)), rank, 0));
  }

  @Override
  public List<Piece> result(PerfJob job, int rank) {
    List<Piece> pieces = new ArrayList<>();
    long at = 0;
    for (int source = 0; source < job.ranks(); source++) {
      long count = traffic.elements(job, source, rank);
      pieces.add(new Piece(at, count, source, Blocks.offsets(sendCounts(job, source))[rank]));
      at += count;
    }
    return pieces;
  }

  @Override
  public Runnable operation(
      PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
    long[] sendCounts = sendCounts(job, session.rank());
    long[] sendOffsets = Blocks.offsets(sendCounts);
    long[] recvCounts = recvCounts(job, session.rank());
    long[] recvOffsets = Blocks.offsets(recvCounts);
    return () ->
        session.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, job.type());
  }

  private long[] sendCounts(PerfJob job, int rank) {
    long[] counts = new long[job.ranks()];
    for (int peer = 0; peer < counts.length; peer++) {
      counts[peer] = traffic.elements(job, rank, peer);
    }
    return counts;
  }

  private long[] recvCounts(PerfJob job, int rank) {
    long[] counts = new long[job.ranks()];
    for (int peer = 0; peer < counts.length; peer++) {
      counts[peer] = traffic.elements(job, peer, rank);
    }
    return counts;
  }
}
