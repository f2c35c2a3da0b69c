// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;

/**
 * The sending end of a connection. The kernel side ({@link #hasRoom} to {@link #forward}) and the
 * network side ({@link #progress}) belong to one thread each, which may be two different ones.
 */
public interface SendConnector {

  /** Returns the rank that receives. */
  int peer();

  /**
   * Returns whether the other end is a collective network; {@link #peer} is the next rank then that
   * talks to it, which the network may be waiting for.
   */
  default boolean isNetwork() {
    return false;
  }

  /**
   * Says what the messages from now on are, for a network that reduces them. The kernel side.
   *
   * @param type of their elements
   * @param op the code of the operation's operator
   */
  default void reduces(DataType type, int op) {}

  /** Returns the most data bytes of a message, the same at both ends. */
  int capacity();

  /**
   * Returns how many bytes of a transfer go into one message, the same at both ends: more than
   * {@link #capacity} where messages are lent.
   */
  default int pieceBytes() {
    return capacity();
  }

  /**
   * Announces that the next messages, behind those announced before, belong to one operation; only
   * where a profiler hears of the connection. The kernel side, before the first of them.
   *
   * @param event the operation's event
   * @param mask which events are wanted of it
   * @param messages how many there will be
   */
  default void announce(long event, int mask, long messages) {}

  /** Returns whether there is a free slot. */
  boolean hasRoom();

  /**
   * Returns what {@link #hasRoom} would, for a description of the connection. It changes nothing
   * and may be called at any time; the caller must not touch the slot.
   */
  @AnyThread
  boolean seemsToHaveRoom();

  /**
   * Returns how many messages a network has accepted, whether it is done with them or not; -1 where
   * there is no network. One that still lies in its slot, since the network takes no more, is none.
   */
  @AnyThread
  default long sent() {
    return -1;
  }

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

  /**
   * Returns whether {@link #lend} can be used: where the receiver is a thread of this process that
   * can read the sender's buffers.
   */
  default boolean canLend() {
    return false;
  }

  /**
   * Sends a message by showing where it lies instead of copying it into a slot: the receiver reads
   * {@code bytes} from {@code offset} of {@code from}, which must be accessible to all threads, and
   * they must stay as they are until {@link #done} has reached the number returned. It may be
   * longer than {@link #capacity}. Takes a slot all the same, so only where {@link #hasRoom}; and
   * the receiver finds the header by {@link ReceiveConnector#headerWord} only.
   *
   * @param word the first word of the message's header
   * @param countWord the second
   * @return the number that {@link #done} reaches once the receiver has released the message
   */
  default long lend(MemorySegment from, long offset, int bytes, long word, long countWord) {
    throw new UnsupportedOperationException("rank " + peer() + " cannot read this rank's buffers");
  }

  /** Returns how many messages the network, or the receiver of a lent one, is done with. */
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

  /**
   * Returns whether a thread may call {@link #progress} while another one receives: true where the
   * connection shares nothing with one that receives. Then it has {@link #oldestBytes}, too.
   */
  default boolean movesApart() {
    return false;
  }

  /**
   * Returns how long the oldest message is that the network is not done with, its header included;
   * 0 where there is none. The network side, where the connection {@linkplain #movesApart moves
   * apart}.
   */
  default int oldestBytes() {
    return 0;
  }

  /** Closes the connection, messages in flight included. Closing again does nothing. */
  void close();
}
