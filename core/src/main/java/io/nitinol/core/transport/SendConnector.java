// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import java.lang.foreign.MemorySegment;

/**
 * The sending end of a connection. The kernel side ({@link #hasRoom} to {@link #forward}) and the
 * network side ({@link #progress}) belong to one thread each, which may be two different ones.
 */
public interface SendConnector {

  /** Returns the rank that receives. */
  int peer();

  /** Returns the most data bytes of a message, the same at both ends. */
  int capacity();

  /** Returns whether there is a free slot. */
  boolean hasRoom();

  /** Returns the memory that {@link #offset} counts in. */
  MemorySegment memory();

  /** Returns where the data of the next message is to be written. */
  long offset();

  /**
   * Sends what lies in the slot: the header in front of {@link #offset} and {@code bytes} behind.
   */
  void send(int bytes);

  /** Returns whether {@link #forward} takes messages of {@code from}. */
  boolean canForward(ReceiveConnector from);

  /**
   * Sends the next message of {@code from} on, header and {@code bytes} of data, from where it
   * lies. The caller still has to give the slot back, by {@link ReceiveConnector#releaseAfter}.
   *
   * @return the number to give it back with
   */
  long forward(ReceiveConnector from, int bytes);

  /** Returns how many messages the network is done with. */
  long done();

  /** Returns whether the network is done with all messages. */
  boolean isDrained();

  /**
   * Moves data. Never waits, never allocates.
   *
   * @return how many things happened; 0 when nothing could be done
   */
  int progress();

  /**
   * Returns whether {@link #progress} has to be called at all: false where the kernel sides move
   * everything between themselves.
   */
  default boolean needsProgress() {
    return true;
  }

  /** Closes the connection, messages in flight included. */
  void close();
}
