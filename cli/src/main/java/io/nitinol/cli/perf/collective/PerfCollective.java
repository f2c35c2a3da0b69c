// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A collective that {@code perf} measures. Sizes are in elements; those of a buffer hold for the
 * rank that needs most, so that they are the same on all ranks.
 */
public interface PerfCollective {

  /** Returns the name: nccl-tests' without {@code _perf}, where nccl-tests has the collective. */
  String label();

  /** Returns whether elements are combined. */
  default boolean reduces() {
    return false;
  }

  /** Returns whether one rank has a part of its own. */
  default boolean hasRoot() {
    return false;
  }

  /** Returns whether the send buffer may be part of the receive buffer, or the other way round. */
  default boolean hasInPlace() {
    return true;
  }

  /** Returns whether it moves data, whose size may be chosen. */
  default boolean hasSizes() {
    return true;
  }

  /**
   * Returns whether no rank may end it before all ranks have begun it, although that shows in no
   * data.
   */
  default boolean holdsRanks() {
    return false;
  }

  /**
   * Returns the bus bandwidth over the algorithm bandwidth: how often each byte crosses a rank's
   * link in the best algorithm, so that figures of different rank counts compare with the hardware.
   */
  double busFactor(int ranks);

  /** Returns how many messages one operation is on all ranks together; 0 where it is no message. */
  default int messages(int ranks) {
    return 0;
  }

  /**
   * Returns the count to call with, which the table shows. Where blocks differ it is that of equal
   * ones.
   *
   * @param elements how many elements fill the size that was asked for
   */
  long count(long elements, DataType type, int ranks);

  /** Returns the length of the send buffer. */
  long sendLength(PerfJob job);

  /** Returns the length of the receive buffer. */
  long recvLength(PerfJob job);

  /** Returns where the send buffer is in the one buffer that there is for in place. */
  default long sendOffset(PerfJob job, int rank) {
    return 0;
  }

  /** Returns where the receive buffer is in the one buffer that there is for in place. */
  default long recvOffset(PerfJob job, int rank) {
    return 0;
  }

  /** Returns what {@code rank} has to have in its send buffer. */
  List<Piece> contribution(PerfJob job, int rank);

  /** Returns what {@code rank} is to get into its receive buffer; all else stays as it was. */
  List<Piece> result(PerfJob job, int rank);

  /**
   * Prepares the operation.
   *
   * @param send of {@link #sendLength}
   * @param recv of {@link #recvLength}
   * @return starts it, each time that it runs
   */
  Runnable operation(PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv);
}
