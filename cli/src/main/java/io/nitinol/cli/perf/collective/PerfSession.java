// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One rank's end of the measured communicator, and a way to the other ranks that does not depend on
 * it. The operations start what they are named after; {@link #finish} waits. Counts are in
 * elements.
 */
@OneThread
public interface PerfSession {
  /** Returns this rank, from 0. */
  int rank();

  /** Returns how many ranks there are. */
  int size();

  /** Returns what the rank computes with and how its memory is reached. */
  PerfDevice device();

  /** Returns which network plugin was taken, human-readable. */
  String network();

  /**
   * Allocates memory for buffers, once for all rows. Every rank does so in the same order, with the
   * same size.
   *
   * @param arena of memory of the host
   * @param bytes the size
   * @param alignment of the address
   * @return the memory as the host reads and writes it; calls take slices of it
   * @throws OutOfMemoryError where there is no room
   */
  default MemorySegment allocate(Arena arena, long bytes, long alignment) {
    return arena.allocate(bytes, alignment);
  }

  /** Lets operations see what the host has written to a slice of {@link #allocate}d memory. */
  default void upload(MemorySegment slice) {}

  /** Lets the host see what operations have written; they have ended. */
  default void download(MemorySegment slice) {}

  /**
   * Says by what this rank multiplies its contributions under {@link PerfOperator#MULSUM} from now
   * on.
   *
   * @param type the type of the elements, and of the scalar
   * @param scalar a number that the type represents
   */
  void scalar(DataType type, double scalar);

  /** Starts an all-reduce of {@code count} elements. */
  void allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op);

  /** Starts a reduction of {@code count} elements to {@code root}. */
  void reduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op, int root);

  /** Starts a broadcast of {@code count} elements of {@code root}. */
  void broadcast(MemorySegment send, MemorySegment recv, long count, DataType type, int root);

  /** Starts an all-gather, {@code count} elements of each rank. */
  void allGather(MemorySegment send, MemorySegment recv, long count, DataType type);

  /** Starts a reduce-scatter, {@code count} elements for each rank. */
  void reduceScatter(
      MemorySegment send, MemorySegment recv, long count, DataType type, PerfOperator op);

  /** Starts an exchange of {@code count} elements from each rank to each. */
  void allToAll(MemorySegment send, MemorySegment recv, long count, DataType type);

  /**
   * Starts an exchange of different numbers of elements; the arrays have an entry for each rank.
   */
  void allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type);

  /** Starts to gather {@code count} elements of each rank at {@code root}. */
  void gather(MemorySegment send, MemorySegment recv, long count, DataType type, int root);

  /** Starts to scatter {@code count} elements for each rank from {@code root}. */
  void scatter(MemorySegment send, MemorySegment recv, long count, DataType type, int root);

  /**
   * Prepares to give every rank the blocks of all ranks.
   *
   * @param counts how many elements each rank's block has
   * @param offsets where they go, in elements
   * @return starts it, each time that it runs
   */
  Runnable allGatherV(
      MemorySegment send, MemorySegment recv, long[] counts, long[] offsets, DataType type);

  /** As {@link #allGatherV}, for the root alone. */
  Runnable gatherV(
      MemorySegment send,
      MemorySegment recv,
      long[] counts,
      long[] offsets,
      DataType type,
      int root);

  /** Prepares to give each rank its block of the root's buffer; see {@link #allGatherV}. */
  Runnable scatterV(
      MemorySegment send,
      long[] counts,
      long[] offsets,
      MemorySegment recv,
      DataType type,
      int root);

  /**
   * Starts a barrier.
   *
   * @throws UnsupportedOperationException where there is none on this memory
   */
  void barrier();

  /** Starts to send to {@code peer}. */
  void send(MemorySegment buffer, long count, DataType type, int peer);

  /** Starts to receive from {@code peer}. */
  void recv(MemorySegment buffer, long count, DataType type, int peer);

  /** Collects what follows, to start it together. May be nested. */
  void groupStart();

  /** Starts what was collected, where this ends the outermost group. */
  void groupEnd();

  /** Waits until all that was started has ended. */
  void finish();

  /**
   * Records what {@code operations} starts, without starting it. Nothing else is under way.
   *
   * @throws UnsupportedOperationException where this memory has no such thing
   */
  default PerfRecording record(Runnable operations) {
    throw new UnsupportedOperationException("operations on host memory cannot be recorded");
  }

  /** Sends some bytes to all ranks and returns what each sent, by rank. */
  byte[][] exchange(byte[] mine);

  /** Tells the other ranks that this one cannot go on, before {@link #close}. Returns at once. */
  default void abort() {}

  /** Frees what the session has made of its communicator, which stays the caller's. */
  default void close() {}
}
