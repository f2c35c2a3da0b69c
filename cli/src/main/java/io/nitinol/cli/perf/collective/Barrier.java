// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Every rank waits until all ranks have called it. It has one row, of no bytes. */
final class Barrier implements PerfCollective {
  @Override
  public String label() {
    return "barrier";
  }

  @Override
  public boolean hasSizes() {
    return false;
  }

  @Override
  public boolean hasInPlace() {
    return false;
  }

  @Override
  public boolean holdsRanks() {
    return true;
  }

  @Override
  public double busFactor(int ranks) {
    return 1;
  }

  @Override
  public long count(long elements, DataType type, int ranks) {
    return 0;
  }

  @Override
  public long sendLength(PerfJob job) {
    return 0;
  }

  @Override
  public long recvLength(PerfJob job) {
    return 0;
  }

  @Override
  public List<Piece> contribution(PerfJob job, int rank) {
    return List.of();
  }

  @Override
  public List<Piece> result(PerfJob job, int rank) {
    return List.of();
  }

  @Override
  public Runnable operation(
      PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
    return session::barrier;
  }
}
