// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.CommException;
import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
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
public final class PairTransfers {
  private final @Nullable Side[] sendsTo;
  private final @Nullable Side[] receivesFrom;
  private final List<Side> sends = new ArrayList<>();
  private final List<Side> receives = new ArrayList<>();

  /**
   * Creates an empty batch.
   *
   * @param ranks how many ranks the communicator has
   */
  public PairTransfers(int ranks) {
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
    send(peer, from, bytes, null, 0);
  }

  /**
   * Adds a send, as the other {@code send}.
   *
   * @param type the elements' type, for a profiler; null where there is none
   * @param call the profiler's event of the call that this is made for; 0 for the current one
   */
  public void send(int peer, MemorySegment from, long bytes, @Nullable DataType type, long call) {
    add(sendsTo, sends, peer, from, bytes, type, call);
  }

  /** Adds a receive into the first {@code bytes} bytes of {@code into}, as {@link #send}. */
  public void receive(int peer, MemorySegment into, long bytes) {
    receive(peer, into, bytes, null, 0);
  }

  /** Adds a receive, as {@link #send(int, MemorySegment, long, DataType, long)}. */
  public void receive(
      int peer, MemorySegment into, long bytes, @Nullable DataType type, long call) {
    add(receivesFrom, receives, peer, into, bytes, type, call);
  }

  private static void add(
      @Nullable Side[] byPeer,
      List<Side> all,
      int peer,
      MemorySegment segment,
      long bytes,
      @Nullable DataType type,
      long call) {
    Objects.checkIndex(peer, byPeer.length);
    Objects.checkFromIndexSize(0, bytes, segment.byteSize());
    Side side = byPeer[peer];
    if (side == null) {
      side = new Side(peer);
      byPeer[peer] = side;
      all.add(side);
    }
    side.add(segment, bytes, type, call);
  }

  /** Returns whether there is nothing to send and nothing to receive. */
  public boolean isEmpty() {
    return sends.isEmpty() && receives.isEmpty();
  }

  /** Returns how many bytes are sent, or received if those are more; any thread may ask. */
  long countedBytes() {
    return Math.max(bytes(sends), bytes(receives));
  }

  public List<Side> sends() {
    return sends;
  }

  public List<Side> receives() {
    return receives;
  }

  /** Returns what is sent to {@code peer}, or null. */
  public @Nullable Side sendsTo(int peer) {
    return sendsTo[peer];
  }

  /** Returns what is received from {@code peer}, or null. */
  public @Nullable Side receivesFrom(int peer) {
    return receivesFrom[peer];
  }

  /**
   * Checks what can be checked before anything is sent.
   *
   * @throws CommException INVALID_USAGE when what {@code rank} sends to itself is not what it
   *     receives from itself
   */
  public void check(int rank, int ranks) {
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
            ErrorText.of(
                "rank %s sends itself %s bytes and receives %s, as transfer %s of the group",
                rank, out.bytes(i), in.bytes(i), i + 1));
      }
    }
  }

  /** Starts an event for each transfer. */
  public void startEvents(CallEvents events) {
    for (Side side : sends) {
      side.startEvents(events, Collective.SEND);
    }
    for (Side side : receives) {
      side.startEvents(events, Collective.RECV);
    }
  }

  public void stopEvents(ProfilerSession session, boolean givenUp) {
    for (Side side : sends) {
      side.stopEvents(session, givenUp);
    }
    for (Side side : receives) {
      side.stopEvents(session, givenUp);
    }
  }

  @Override
  public String toString() {
    return count(sends) + " sends and " + count(receives) + " receives";
  }

  private static long bytes(List<Side> sides) {
    long sum = 0;
    for (Side side : sides) {
      for (int i = 0; i < side.size(); i++) {
        sum += side.bytes(i);
      }
    }
    return sum;
  }

  private static int count(List<Side> sides) {
    int sum = 0;
    for (Side side : sides) {
      sum += side.size();
    }
    return sum;
  }

  /** What goes one way between this rank and another one, in order. */
  public static final class Side {
    private static final @Nullable DataType[] UNTYPED = {};
    private static final long[] UNCALLED = {};

    private final int peer;
    private MemorySegment[] segments = new MemorySegment[1];
    private long[] lengths = new long[1];
    private int size;

    /** By transfer, what it is for a profiler, and of which call; empty where there is none. */
    private @Nullable DataType[] types = UNTYPED;

    private long[] calls = UNCALLED;

    /** By transfer, for a profiler; null where there is none. */
    private long @Nullable [] events;

    private int wanted;

    private Side(int peer) {
      this.peer = peer;
    }

    private void add(MemorySegment segment, long bytes, @Nullable DataType type, long call) {
      if (size == lengths.length) {
        segments = Arrays.copyOf(segments, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
      }
      segments[size] = segment;
      lengths[size] = bytes;
      if (type != null) {
        if (size >= types.length) {
          types = Arrays.copyOf(types, lengths.length);
          calls = Arrays.copyOf(calls, lengths.length);
        }
        types[size] = type;
        calls[size] = call;
      }
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
        sum += messages(i, capacity);
      }
      return sum;
    }

    private long messages(int index, int capacity) {
      return Math.max(1, Math.ceilDiv(lengths[index], capacity));
    }

    private void startEvents(CallEvents call, Collective function) {
      long[] started = new long[size];
      for (int i = 0; i < size; i++) {
        DataType known = i < types.length ? types[i] : null;
        DataType type = known == null ? DataType.INT8 : known;
        long from = i < calls.length ? calls[i] : 0;
        long count = lengths[i] / type.size();
        started[i] = call.p2p(function, from, peer, segments[i].address(), count, type);
      }
      wanted = call.mask();
      events = started;
    }

    private void stopEvents(ProfilerSession session, boolean givenUp) {
      long[] started = events;
      if (started != null) {
        events = null;
        for (long event : started) {
          if (givenUp) {
            session.giveUp(event);
          } else {
            session.stop(event);
          }
        }
      }
    }

    /** Tells a connection whose messages come now, where a profiler wants to know. */
    void announce(SendConnector to, int index) {
      long[] started = events;
      if (started != null) {
        to.announce(started[index], wanted, messages(index, to.capacity()));
      }
    }

    /** Tells a connection whose messages will come, where a profiler wants to know. */
    void announce(ReceiveConnector from) {
      long[] started = events;
      if (started != null) {
        for (int i = 0; i < size; i++) {
          from.announce(started[i], wanted, messages(i, from.capacity()));
        }
      }
    }
  }
}
