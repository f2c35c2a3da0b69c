// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * One direction of a rail: pieces of at most a slot, in order, over all of its connections. What is
 * sent does not wait for what is received, nor the other way round.
 *
 * <p>The header of each piece goes over the first connection, so that ranks that have called
 * different operations find out there. The bytes of a large piece are divided among the others, all
 * of which carry each piece together: so none waits for the bytes of a later one. With two
 * connections the first one carries half. A small piece goes over the first as a whole, which wakes
 * no other thread. Where data have no room for headers between them the header is a message of its
 * own, before those of the first connection.
 */
@OneThread
final class RailWay {
  /** A piece of fewer bytes is sent sooner than divided. */
  static final int LEAST_DIVIDED = 32 << 10;

  /** How many pieces can be under way; a connection has at most two messages of each. */
  static final int PLACES = DirectRail.PLACES / 2;

  private static final int ALIGNMENT = 256;

  private final List<DirectRail> rails;
  private final boolean sends;
  private final IntConsumer wake;

  /** How many connections carry bytes of a large piece, and the first of them. */
  private final int carriers;

  private final int firstCarrier;

  /** By piece: what each connection has of it, as the last number there, 0 for nothing. */
  private final long[][] numbers;

  private long begun;
  private long complete;

  /**
   * Creates one direction.
   *
   * @param sends whether pieces leave this rank
   * @param wake wakes the thread of a connection, of those behind the first
   */
  RailWay(List<DirectRail> rails, boolean sends, IntConsumer wake) {
    this.rails = rails;
    this.sends = sends;
    this.wake = wake;
    this.firstCarrier = rails.size() > 2 ? 1 : 0;
    this.carriers = rails.size() - firstCarrier;
    this.numbers = new long[PLACES][rails.size()];
  }

  /** Returns whether bytes go over several connections. */
  boolean isDivided(long size) {
    return carriers > 1 && size >= LEAST_DIVIDED;
  }

  /** Returns whether one more piece can be begun. */
  boolean hasRoom() {
    return begun - complete < PLACES || begun - complete() < PLACES;
  }

  /** Returns how many pieces were begun. */
  long begun() {
    return begun;
  }

  /** Returns how many of them have left, or come, with all their bytes; all before them, too. */
  long complete() {
    while (complete < begun && isComplete(complete + 1)) {
      complete++;
    }
    return complete;
  }

  private boolean isComplete(long piece) {
    long[] parts = numbers[(int) (piece % PLACES)];
    for (int i = 0; i < parts.length; i++) { // the header is on the first one
      if (!isMoved(i, parts[i])) {
        if (!sends) {
          rails.get(i).reportWrongPart();
        }
        return false;
      }
    }
    return true;
  }

  private boolean isMoved(int connection, long number) {
    DirectRail rail = rails.get(connection);
    return sends ? rail.isSent(number) : rail.isReceived(number);
  }

  /**
   * Begins with a piece, for which there is room.
   *
   * @param memory where its data and header are or go; behind each there is room for the rest of a
   *     message of another call, where they go
   * @param head the first byte behind the header
   * @param at the first byte of the data. Where it is another one than {@code head} the header is a
   *     message of its own.
   * @param word the first word of the header, without a number
   * @param count the second one
   */
  void begin(MemorySegment memory, long head, long at, long size, long word, long count) {
    begun++;
    long numbered = word | MessageHeader.word(begun, 0, 0, 0, 0, 0, 0);
    long[] parts = numbers[(int) (begun % PLACES)];
    Arrays.fill(parts, 0);
    boolean apart = head != at;
    boolean divided = isDivided(size);
    if (!divided && !apart) {
      parts[0] = head(memory, head, size, numbered, count);
      return;
    }
    int carrying = divided ? carriers : 1;
    int from = divided ? firstCarrier : 0;
    long grain = (long) carrying * ALIGNMENT;
    long each = divided ? (size + grain - 1) / grain * ALIGNMENT : size;
    parts[0] = head(memory, head, apart || from > 0 ? 0 : each, numbered, count);
    for (int i = 0; i < carrying; i++) {
      int connection = from + i;
      long length = Math.min(each, size - i * each);
      if (length > 0 && (connection > 0 || apart)) {
        parts[connection] = part(connection, memory, at, i * each, length);
      }
      if (connection > 0) {
        wake.accept(connection);
      }
    }
  }

  private long head(MemorySegment memory, long at, long size, long word, long count) {
    long from = at - MessageHeader.BYTES;
    long length = MessageHeader.BYTES + size;
    if (sends) {
      MessageHeader.write(memory, at, word, count);
      return rails.getFirst().send(memory, from, length);
    }
    return rails.getFirst().receive(memory, from, length, word, count);
  }

  private long part(int connection, MemorySegment memory, long at, long from, long length) {
    DirectRail rail = rails.get(connection);
    if (sends) {
      return rail.send(memory, at + from, length);
    }
    long room = BridgeMemory.SLOT_BYTES + BridgeMemory.BEHIND - from;
    return rail.receivePart(memory, at + from, length, Math.min(DirectRail.MOST_BYTES, room));
  }
}
