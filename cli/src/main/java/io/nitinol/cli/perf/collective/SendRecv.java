// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Each rank sends to the next one and receives from the one before, in one group. */
final class SendRecv implements Collective {

  @Override
  public String label() {
    return "sendrecv";
  }

  @Override
  public boolean hasInPlace() {
    return false;
  }

  @Override
  public double busFactor(int ranks) {
    return 1;
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
    return List.of(new Piece(0, job.count(), rank, 0));
  }

  @Override
  public List<Piece> result(Job job, int rank) {
    return List.of(new Piece(0, job.count(), Math.floorMod(rank - 1, job.ranks()), 0));
  }

  @Override
  public Runnable operation(Session session, Job job, MemorySegment send, MemorySegment recv) {
    int next = (session.rank() + 1) % job.ranks();
    int before = Math.floorMod(session.rank() - 1, job.ranks());
    return () -> {
      session.groupStart();
      session.send(send, job.count(), job.type(), next);
      session.recv(recv, job.count(), job.type(), before);
      session.groupEnd();
    };
  }
}
