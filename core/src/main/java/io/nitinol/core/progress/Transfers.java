// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives that belong together, as between {@code ncclGroupStart} and {@code
 * ncclGroupEnd}. Between two ranks they are matched in the order in which each side names them, a
 * transfer of no bytes included. Built by one thread, and not to be changed once submitted.
 */
public final class Transfers {
  private final @Nullable Side[] sendsTo;
  private final @Nullable Side[] receivesFrom;
  private final List<Side> sends = new ArrayList<>();
  private final List<Side> receives = new ArrayList<>();

  /**
   * Creates an empty batch.
   *
   * @param ranks how many ranks the communicator has
   */
  public Transfers(int ranks) {
    sendsTo = new @Nullable Side[ranks];
    receivesFrom = new @Nullable Side[ranks];
  }

  /**
   * Adds a send.
   *
   * @param peer the rank that receives, which may be this one
   * @param from whose first {@code bytes} bytes are sent; the caller's, and to be left alone until
   *     the batch is done
   * @param bytes how many, from 0
   * @throws IndexOutOfBoundsException when there is no such rank or so many bytes
   */
  public void send(int peer, MemorySegment from, long bytes) {
    add(sendsTo, sends, peer, from, bytes);
  }

  /** Adds a receive into the first {@code bytes} bytes of {@code into}, as {@link #send}. */
  public void receive(int peer, MemorySegment into, long bytes) {
    add(receivesFrom, receives, peer, into, bytes);
  }

  private static void add(
      @Nullable Side[] byPeer, List<Side> all, int peer, MemorySegment segment, long bytes) {
    Objects.checkIndex(peer, byPeer.length);
    Objects.checkFromIndexSize(0, bytes, segment.byteSize());
    Side side = byPeer[peer];
    if (side == null) {
      side = new Side(peer);
      byPeer[peer] = side;
      all.add(side);
    }
    side.add(segment, bytes);
  }

  /** Returns whether there is nothing to send and nothing to receive. */
  public boolean isEmpty() {
    return sends.isEmpty() && receives.isEmpty();
  }

  List<Side> sends() {
    return sends;
  }

  List<Side> receives() {
    return receives;
  }

  /** Returns what is sent to {@code peer}, or null. */
  @Nullable Side sendsTo(int peer) {
    return sendsTo[peer];
  }

  /** Returns what is received from {@code peer}, or null. */
  @Nullable Side receivesFrom(int peer) {
    return receivesFrom[peer];
  }

  /**
   * Checks what can be checked before anything is sent.
   *
   * @throws CommException INVALID_USAGE when what {@code rank} sends to itself is not what it
   *     receives from itself
   */
  void check(int rank, int ranks) {
    if (sendsTo.length != ranks) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          "a batch made for " + sendsTo.length + " ranks was given to a communicator of " + ranks);
    }
    Side out = sendsTo[rank];
    Side in = receivesFrom[rank];
    int outs = out == null ? 0 : out.size();
    int ins = in == null ? 0 : in.size();
    if (outs != ins) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          "rank " + rank + " sends to itself " + outs + " times and receives " + ins + " times");
    }
    for (int i = 0; i < outs && out != null && in != null; i++) {
      if (out.bytes(i) != in.bytes(i)) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            "rank "
                + rank
                + " sends itself "
                + out.bytes(i)
                + " bytes and receives "
                + in.bytes(i)
                + ", as transfer "
                + (i + 1)
                + " of the group");
      }
    }
  }

  @Override
  public String toString() {
    return count(sends) + " sends and " + count(receives) + " receives";
  }

  private static int count(List<Side> sides) {
    int sum = 0;
    for (Side side : sides) {
      sum += side.size();
    }
    return sum;
  }

  /** What goes one way between this rank and another one, in order. */
  static final class Side {
    private final int peer;
    private MemorySegment[] segments = new MemorySegment[1];
    private long[] lengths = new long[1];
    private int size;

    private Side(int peer) {
      this.peer = peer;
    }

    private void add(MemorySegment segment, long bytes) {
      if (size == lengths.length) {
        segments = Arrays.copyOf(segments, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
      }
      segments[size] = segment;
      lengths[size] = bytes;
      size++;
    }

    int peer() {
      return peer;
    }

    int size() {
      return size;
    }

    MemorySegment segment(int index) {
      return segments[index];
    }

    long bytes(int index) {
      return lengths[index];
    }

    /** Returns how many messages of {@code capacity} bytes that makes: at least one each. */
    long messages(int capacity) {
      long sum = 0;
      for (int i = 0; i < size; i++) {
        sum += Math.max(1, Math.ceilDiv(lengths[i], capacity));
      }
      return sum;
    }
  }
}
