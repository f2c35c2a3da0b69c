// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;

/**
 * What one side reports to the other when its queue pairs are closed, see {@link Failover}.
 *
 * @param generation of the queue pairs that are closed, see {@link WorkId}
 * @param lost the paths that it does without
 * @param next the number of the next receive to be posted, or to be given messages
 * @param complete which receives are complete, by their slots
 */
record FailoverReport(int generation, long lost, long next, int complete) {
  private static final int BYTES = 24;

  ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES)
        .putInt(generation)
        .putInt(complete)
        .putLong(lost)
        .putLong(next)
        .flip();
  }

  static FailoverReport decode(ByteBuffer in) throws FrameException {
    if (in.remaining() != BYTES) {
      throw new FrameException("a standing of " + in.remaining() + " bytes");
    }
    int generation = in.getInt();
    int complete = in.getInt();
    return new FailoverReport(generation, in.getLong(), in.getLong(), complete);
  }

  /**
   * Checks what the peer has said.
   *
   * @param current this side's generation, when its queue pairs are closed
   * @param all the paths that there were
   * @throws FrameException where it cannot be
   */
  void check(int current, long all) throws FrameException {
    if (generation != current) {
      throw new FrameException("generation " + generation + ", expected " + current);
    }
    if ((lost & ~all) != 0) {
      throw new FrameException("paths that are none: 0x" + Long.toHexString(lost & ~all));
    }
  }
}
