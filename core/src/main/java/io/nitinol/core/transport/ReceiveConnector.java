// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end of a connection. The kernel side ({@link #expect} to {@link #release}) and the
 * network side ({@link #progress}) belong to one thread each, which may be two different ones.
 */
public interface ReceiveConnector {

  /** Returns the rank that sends. */
  int peer();

  /**
   * Returns whether the other end is a collective network; {@link #peer} is the next rank then that
   * talks to it, which the network may be waiting for.
   */
  default boolean isNetwork() {
    return false;
  }

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
   * Announces that {@code messages} more will be consumed; none is asked of the network before
   * that.
   */
  void expect(long messages);

  /**
   * Announces that the next messages, behind those announced before, belong to one operation; only
   * where a profiler hears of the connection. The kernel side, before the first of them.
   *
   * @param event the operation's event
   * @param mask which events are wanted of it
   * @param messages how many there will be
   */
  default void announce(long event, int mask, long messages) {}

  /** Returns whether the next message is there. */
  boolean ready();

  /**
   * Returns what {@link #ready} would, for a description of the connection. It changes nothing and
   * may be called at any time; the caller must not touch the message.
   */
  @AnyThread
  boolean seemsReady();

  /** Returns how many messages have arrived by a network; -1 where there is none. */
  @AnyThread
  default long arrived() {
    return -1;
  }

  /**
   * Returns how many messages the network was asked for, those that have arrived among them: no
   * more than {@link #expect} has announced, and than there are slots for. -1 where there is no
   * network.
   */
  @AnyThread
  default long expected() {
    return -1;
  }

  /** Returns the memory that {@link #offset} counts in. */
  MemorySegment memory();

  /** Returns where the data of the next message begins. */
  long offset();

  /**
   * Returns the size of the next message in bytes, header included; all the room for it where the
   * network does not tell, as some native ones do not. The header tells more than the size does:
   * both ends make the same messages of an operation.
   */
  int size();

  /**
   * Returns the first word of the next message's header, wherever that is: in front of {@link
   * #offset}, unless the sender has {@linkplain SendConnector#lend lent} its buffer. Only where
   * {@link #size} has room for a header.
   */
  default long headerWord() {
    return MessageHeader.word(memory(), offset());
  }

  /** Returns the second word of the next message's header, as {@link #headerWord}. */
  default long headerCountWord() {
    return MessageHeader.countWord(memory(), offset());
  }

  /** Frees the slot of the next message, which then is the one behind it. */
  void release();

  /**
   * Frees the slot of the next message once {@code sender} is done with the message of number
   * {@code ticket}, which is sent from this slot.
   */
  void releaseAfter(SendConnector sender, long ticket);

  /**
   * Moves data. Never waits, never allocates.
   *
   * @return how many things happened; 0 when nothing could be done
   */
  int progress();

  /**
   * Returns whether the network knows of everything that was released, so that nothing of the past
   * needs {@link #progress} any more. The network side.
   */
  default boolean isSettled() {
    return true;
  }

  /**
   * Returns whether {@link #progress} has to be called at all: false where the kernel sides move
   * everything between themselves.
   */
  default boolean needsProgress() {
    return true;
  }

  /** Closes the connection, messages in flight included. Closing again does nothing. */
  void close();
}
