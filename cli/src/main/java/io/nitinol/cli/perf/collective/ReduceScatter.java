// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Each rank ends with its block of the reduction of all ranks' buffers. The size is that of a
 * contribution.
 */
final class ReduceScatter implements Collective {

  @Override
  public String label() {
    return "reduce_scatter";
  }

  @Override
  public boolean reduces() {
    return true;
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
  public long sendLength(Job job) {
    return job.count() * job.ranks();
  }

  @Override
  public long recvLength(Job job) {
    return job.count();
  }

  @Override
  public long recvOffset(Job job, int rank) {
    return rank * job.count();
  }

  @Override
  public List<Piece> contribution(Job job, int rank) {
    return List.of(new Piece(0, sendLength(job), rank, 0));
  }

  @Override
  public List<Piece> result(Job job, int rank) {
    return List.of(new Piece(0, job.count(), Piece.REDUCTION, rank * job.count()));
  }

  @Override
  public Runnable operation(Session session, Job job, MemorySegment send, MemorySegment recv) {
    return () -> session.reduceScatter(send, recv, job.count(), job.type(), job.op());
  }
}
