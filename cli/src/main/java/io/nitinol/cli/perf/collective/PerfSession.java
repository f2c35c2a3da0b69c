// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.OneThread;
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

  /** Returns what the rank computes with and how it is connected, in a few words. */
  String device();

  /** Returns which network plugin was taken, human-readable. */
  String network();

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

  /** Sends some bytes to all ranks and returns what each sent, by rank. */
  byte[][] exchange(byte[] mine);
}
