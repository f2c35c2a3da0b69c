// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Every rank ends with the reduction of all ranks' buffers. */
final class AllReduce implements Collective {

  @Override
  public String label() {
    return "all_reduce";
  }

  @Override
  public boolean reduces() {
    return true;
  }

  @Override
  public double busFactor(int ranks) {
    return 2.0 * (ranks - 1) / ranks;
  }

  @Override
  public long count(long elements, DataType type, int ranks) {
    return elements;
  }

  @Override
  public long sendLength(Job job) {
    return job.count();
  }

  @Override
  public long recvLength(Job job) {
    return job.count();
  }

  @Override
  public List<Piece> contribution(Job job, int rank) {
    return List.of(new Piece(0, sendLength(job), rank, 0));
  }

  @Override
  public List<Piece> result(Job job, int rank) {
    return List.of(new Piece(0, job.count(), Piece.REDUCTION, 0));
  }

  @Override
  public Runnable operation(Session session, Job job, MemorySegment send, MemorySegment recv) {
    return () -> session.allReduce(send, recv, job.count(), job.type(), job.op());
  }
}
