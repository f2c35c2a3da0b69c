// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The sends and receives of one call between the two ranks of a rail, cut into pieces of at most a
 * slot, which lie in pinned memory that has room for all of them. The caller's thread cuts them,
 * and {@link RemoteTransfers} puts their copies into the stream; the bridge thread has them by
 * {@link RailTransferQueue}.
 *
 * <p>The stream tells after each group of pieces that they are there, and waits for those of a
 * group. All that is sent is put into the stream before anything that is waited for, so that
 * neither direction waits for the other one.
 */
final class RailTransfers {
  /**
   * Into how many groups a direction is cut at most: a driver's queue takes about a thousand pieces
   * of work, and one thread may call for several ranks.
   */
  static final int MOST_GROUPS = 16;

  /** The pieces of one direction. */
  static final class Pieces {
    long[] addresses = new long[4];

    /** Where the header of a piece ends. */
    long[] heads = new long[4];

    long[] offsets = new long[4];
    long[] lengths = new long[4];

    /** The bytes of the message that a piece is of. */
    long[] messages = new long[4];

    /** How many pieces there are when the group of a piece is complete. */
    int[] groups = new int[4];

    int size;

    /** The bytes of all pieces. */
    private long total;

    /** How many pieces the calls before had, all together. */
    final long before;

    /** How many pieces were begun, and the first one's number on the rail; the bridge thread's. */
    int begun;

    long first;

    Pieces(long before) {
      this.before = before;
    }

    /** Takes a message, whose data lie together; returns where the next one can lie. */
    long add(TeamTransfer transfer, BridgeChunks chunks, long at) {
      long message = transfer.size();
      if (message < RailWay.LEAST_DIVIDED) {
        long from = at + BridgeMemory.FRONT;
        add(transfer.address(), from, from, message, message);
        return from + BridgeMemory.aligned(message);
      }
      chunks.cut(message, 1, 1, BridgeMemory.SLOT_BYTES);
      long count = chunks.count();
      long from = at + BridgeMemory.aligned(count * MessageHeader.BYTES + 1);
      for (long k = 0; k < count; k++) {
        long offset = chunks.offset(k);
        long head = at + (k + 1) * MessageHeader.BYTES;
        add(transfer.address() + offset, head, from + offset, chunks.valid(k), message);
      }
      return from + BridgeMemory.aligned(message);
    }

    private void add(long address, long head, long offset, long length, long message) {
      if (size == lengths.length) {
        addresses = Arrays.copyOf(addresses, 2 * size);
        heads = Arrays.copyOf(heads, 2 * size);
        offsets = Arrays.copyOf(offsets, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
        messages = Arrays.copyOf(messages, 2 * size);
        groups = Arrays.copyOf(groups, 2 * size);
      }
      addresses[size] = address;
      heads[size] = head;
      offsets[size] = offset;
      lengths[size] = length;
      messages[size] = message;
      total += length;
      size++;
    }

    /** Makes groups, once all pieces are there. */
    void group() {
      long least = Math.max(BridgeChunks.LEAST_BYTES, Math.ceilDiv(total, MOST_GROUPS));
      int from = 0;
      long bytes = 0;
      for (int i = 0; i < size; i++) {
        bytes += lengths[i];
        if (bytes >= least || i + 1 == size) {
          Arrays.fill(groups, from, i + 1, i + 1);
          from = i + 1;
          bytes = 0;
        }
      }
    }

    /** Returns the first piece behind those of a group that a copy takes together. */
    int together(int from) {
      int to = from + 1;
      while (to < groups[from]
          && addresses[to] == addresses[to - 1] + lengths[to - 1]
          && offsets[to] == offsets[to - 1] + lengths[to - 1]) {
        to++;
      }
      return to;
    }

    /** Returns the bytes of pieces that lie together. */
    long length(int from, int to) {
      return offsets[to - 1] + lengths[to - 1] - offsets[from];
    }

    /** Begins with the next piece. */
    void begin(RailWay way, MemorySegment area, long base, long word) {
      if (begun == 0) {
        first = way.begun() + 1;
      }
      int i = begun;
      way.begin(area, base + heads[i], base + offsets[i], lengths[i], word, messages[i]);
      begun = i + 1;
    }

    /** Returns how many pieces are complete. */
    int complete(long onRail) {
      return Math.clamp(onRail + 1 - first, 0, begun);
    }
  }

  private final BridgeChunks chunks;
  private final Pieces sends;
  private final Pieces receives;
  private MemorySegment area = MemorySegment.NULL;
  private long base;

  /** Whether a piece has been divided; known once all are added. */
  private boolean large;

  /** How many pieces the stream was told of; the bridge thread's. */
  private int told;

  /**
   * Begins with none.
   *
   * @param sent how many pieces were sent by the calls before
   * @param received how many they received
   * @param chunks cuts
   */
  RailTransfers(long sent, long received, BridgeChunks chunks) {
    this.sends = new Pieces(sent);
    this.receives = new Pieces(received);
    this.chunks = chunks;
  }

  /**
   * Adds a send or receive; those of each direction in their order.
   *
   * @param at where there is room for it, from the beginning of all
   * @return where there is room for the next
   */
  long add(TeamTransfer transfer, long at) {
    large |= transfer.size() >= RailWay.LEAST_DIVIDED;
    return (transfer.direction() == Direction.SEND ? sends : receives).add(transfer, chunks, at);
  }

  /** Says where all of it lies, before the bridge thread has it. */
  void place(MemorySegment memory, long from) {
    area = memory;
    base = from;
    sends.group();
    receives.group();
  }

  /** Returns how many pieces are sent by this call and those before. */
  long sent() {
    return sends.before + sends.size;
  }

  /** Returns how many are received. */
  long received() {
    return receives.before + receives.size;
  }

  /** Returns whether other threads than the bridge thread have a part in it. */
  boolean isLarge() {
    return large;
  }

  /** Returns what is sent, for the stream. */
  Pieces sends() {
    return sends;
  }

  /** Returns what is received, for the stream. */
  Pieces receives() {
    return receives;
  }

  /** Returns where a piece lies in pinned memory. */
  long address(Pieces pieces, int i) {
    return area.address() + base + pieces.offsets[i];
  }

  /** Begins with a piece that is sent, if there is one and room for it; returns whether so. */
  @OnlyThread("bridge")
  boolean send(RailWay way, BridgeFlags flags, long word) {
    if (!hasSends() || !isStaged(flags) || !way.hasRoom()) {
      return false;
    }
    sends.begin(way, area, base, word);
    return true;
  }

  /**
   * Returns whether the next piece is in pinned memory; the first group is there from the first.
   */
  private boolean isStaged(BridgeFlags flags) {
    return sends.begun < sends.groups[0] || flags.isStaged(sends.before + sends.begun + 1);
  }

  /** Begins with a piece that is received, as {@link #send}. */
  @OnlyThread("bridge")
  boolean receive(RailWay way, long word) {
    if (!hasReceives() || !way.hasRoom()) {
      return false;
    }
    receives.begin(way, area, base, word);
    return true;
  }

  /** Returns whether there are pieces that are to be sent and have not begun. */
  @OnlyThread("bridge")
  boolean hasSends() {
    return sends.begun < sends.size;
  }

  /** Returns whether there are pieces that are to be received and have not begun. */
  @OnlyThread("bridge")
  boolean hasReceives() {
    return receives.begun < receives.size;
  }

  /**
   * Tells the stream which pieces have come.
   *
   * @param onRail how many have on the rail
   * @return whether there were more than before
   */
  @OnlyThread("bridge")
  boolean tell(BridgeFlags flags, long onRail) {
    int come = receives.complete(onRail);
    if (come == told) {
      return false;
    }
    flags.come(receives.before + come);
    told = come;
    return true;
  }

  /** Returns whether the stream has been told of all that is received. */
  @OnlyThread("bridge")
  boolean isTold() {
    return told == receives.size;
  }

  /** Returns whether all has left, and the stream was told of all that has come. */
  @OnlyThread("bridge")
  boolean isDone(RailWay out) {
    return isTold()
        && !hasSends()
        && (sends.size == 0 || sends.complete(out.complete()) == sends.size);
  }
}
