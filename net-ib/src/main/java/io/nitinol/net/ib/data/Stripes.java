// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

/**
 * Which queue pairs a receive's messages travel on, and which bytes on which. Both sides compute it
 * from the receive's number, so neither has to tell the other.
 *
 * <p>A message is cut into as many chunks as queue pairs carry it, all of them with {@code
 * NCCL_IB_SPLIT_DATA_ON_QPS}, else one for each port. Where it is less than all, receives take
 * turns. A chunk has a multiple of {@link #GRAIN} bytes, so that the lines of NCCL's LL and LL128
 * protocols stay whole.
 *
 * @param lanes how many queue pairs the connection has
 * @param width how many of them carry one receive's messages
 */
public record Stripes(int lanes, int width) {
  /** What a chunk is a multiple of, in bytes. */
  static final int GRAIN = 128;

  /** Checks the numbers. */
  public Stripes {
    if (width < 1 || width > lanes) {
      throw new IllegalArgumentException(width + " of " + lanes + " queue pairs");
    }
  }

  /**
   * Returns the longest write that leaves lines whole.
   *
   * @param most what the ports take, in bytes
   * @return a multiple of the grain; {@code most} where it is less than one
   */
  public static long wholeGrains(long most) {
    return most < GRAIN ? most : most / GRAIN * GRAIN;
  }

  /** Returns the queue pair of stripe {@code stripe} of a receive. */
  int lane(long receive, int stripe) {
    return (int) ((receive * width + stripe) % lanes);
  }

  /** Returns how messages are spread over what is left of the queue pairs. */
  Stripes on(Paths left) {
    return new Stripes(left.lanes(), width == lanes ? left.lanes() : Math.min(width, left.count()));
  }

  /** Returns how many receives one queue pair has part in at most, of {@link IbSlots#COUNT}. */
  int receivesPerLane() {
    return Math.min(IbSlots.COUNT, (IbSlots.COUNT * width + lanes - 1) / lanes);
  }

  /** Returns the size of each chunk of a message but the last ones, which may be shorter or 0. */
  long chunk(long length) {
    long each = (length + width - 1) / width;
    return (each + GRAIN - 1) / GRAIN * GRAIN;
  }

  /** Returns where the chunk of a stripe begins. */
  long start(long length, int stripe) {
    return Math.min(length, chunk(length) * stripe);
  }

  /** Returns where the chunk of a stripe ends. */
  long end(long length, int stripe) {
    return Math.min(length, chunk(length) * (stripe + 1));
  }
}
