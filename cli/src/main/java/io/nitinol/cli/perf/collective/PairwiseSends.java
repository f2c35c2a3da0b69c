// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Each rank sends to one rank at most, and receives from one at most. Sends and receives of one
 * direction are calls of their own, not parts of a group.
 */
public final class PairwiseSends implements PerfCollective {
  /** Stands for no rank. */
  private static final int NOBODY = -1;

  /** Tells a rank's partner. */
  @FunctionalInterface
  private interface Partner {
    int of(int rank, int ranks);
  }

  private final Partner receiver;
  private final Partner sender;

  private PairwiseSends(Partner receiver, Partner sender) {
    this.receiver = receiver;
    this.sender = sender;
  }

  /**
   * Returns the sends of each rank of the first half to one of the second.
   *
   * @param both whether these send back at the same time
   */
  static PairwiseSends halves(boolean both) {
    return new PairwiseSends(
        (rank, ranks) -> both || rank < ranks / 2 ? (rank + ranks / 2) % ranks : NOBODY,
        (rank, ranks) -> both || rank >= ranks / 2 ? (rank + ranks / 2) % ranks : NOBODY);
  }

  /** Returns the send of one rank to another one. */
  static PairwiseSends pair(int from, int to) {
    return new PairwiseSends(
        (rank, ranks) -> rank == from ? to : NOBODY, (rank, ranks) -> rank == to ? from : NOBODY);
  }

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
  public long sendLength(PerfJob job) {
    return job.count();
  }

  @Override
  public long recvLength(PerfJob job) {
    return job.count();
  }

  @Override
  public List<Piece> contribution(PerfJob job, int rank) {
    return receiver.of(rank, job.ranks()) == NOBODY ? List.of() : Blocks.one(job, rank, 0);
  }

  @Override
  public List<Piece> result(PerfJob job, int rank) {
    int from = sender.of(rank, job.ranks());
    return from == NOBODY ? List.of() : Blocks.one(job, from, 0);
  }

  /** Returns how many ranks send. */
  @Override
  public int messages(int ranks) {
    int count = 0;
    for (int rank = 0; rank < ranks; rank++) {
      count += receiver.of(rank, ranks) == NOBODY ? 0 : 1;
    }
    return count;
  }

  @Override
  public Runnable operation(
      PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
    int to = receiver.of(session.rank(), job.ranks());
    int from = sender.of(session.rank(), job.ranks());
    long count = job.count();
    DataType type = job.type();
    if (to == NOBODY && from == NOBODY) {
      return () -> {};
    }
    if (from == NOBODY) {
      return () -> session.send(send, count, type, to);
    }
    if (to == NOBODY) {
      return () -> session.recv(recv, count, type, from);
    }
    return () -> {
      session.groupStart(); // each of the two may wait for the other one
      session.send(send, count, type, to);
      session.recv(recv, count, type, from);
      session.groupEnd();
    };
  }

  /**
   * Prepares a window of messages: all operations one after the other, a wait for all, and a word
   * by which a receiver tells its sender that it has them, where that does not show otherwise.
   *
   * @param word memory for that word, of a byte at least
   * @return runs the window to its end
   */
  public Runnable window(
      PerfSession session, PerfJob job, List<Runnable> operations, MemorySegment word) {
    int to = receiver.of(session.rank(), job.ranks());
    int from = sender.of(session.rank(), job.ranks());
    Runnable[] all = operations.toArray(Runnable[]::new);
    return () -> {
      for (Runnable operation : all) {
        operation.run();
      }
      session.finish();
      if (from == NOBODY && to != NOBODY) {
        session.recv(word, 1, DataType.INT8, to);
        session.finish();
      } else if (to == NOBODY && from != NOBODY) {
        session.send(word, 1, DataType.INT8, from);
        session.finish();
      }
    };
  }
}
