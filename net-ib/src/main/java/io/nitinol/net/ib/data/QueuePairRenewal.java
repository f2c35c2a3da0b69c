// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;

/**
 * Makes new queue pairs on the paths that are left, for a connection whose old ones are closed. The
 * class that made the connection implements it. No call waits, and each goes on where the one
 * before it stopped.
 */
@OneThread
public interface QueuePairRenewal {
  /** Begins, where the connection knows its paths and has no queue pairs. */
  void begin();

  /**
   * Makes queue pairs.
   *
   * @return whether all are there
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR when the device refuses
   */
  boolean make();

  /**
   * Returns what the peer has to know of the queue pairs that were made.
   *
   * @return the body of a frame
   */
  ByteBuffer info();

  /**
   * Takes over what the peer has said of its own.
   *
   * @param info what its {@link #info} has returned
   * @throws FrameException where it cannot be
   * @throws io.nitinol.spi.NetException REMOTE_ERROR for numbers out of bounds
   */
  void heard(ByteBuffer info) throws FrameException;

  /**
   * Connects them.
   *
   * @return whether all can send and receive
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR when the device refuses
   */
  boolean connect();
}
