// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.fuzz.Choices;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.testing.Allocations;
import io.nitinol.spi.testing.MemoryChannel;
import io.nitinol.spi.testing.Mutations;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The byte stream of an established connection: messages, mostly spoilt somewhere, arrive in pieces
 * of any size at a receiving end. A model of what the bytes mean says which receives get what, and
 * what the others fail with. Memory in which no receive was posted must stay as it was.
 */
public final class StreamTarget implements FuzzTarget {
  private static final int MOST_RECEIVES = 8;
  private static final int REGION = 1 << 18;
  private static final int SMALL = 4096;
  private static final int RARE = 77;
  static final byte GUARD = 0x5a;

  /**
   * How often, and for how long, receives are asked about at least after everything has come: a
   * large message is left alone for moments in which a test moves nothing, and a busy machine may
   * leave this thread alone for longer.
   */
  private static final int MOST_TESTS = 1000;

  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** The connections in memory have no descriptors, which would be searched for each. */
  private final Loopback plugin = new Loopback("NITINOL_SOCKET_NATIVE", "0");

  private final MemorySegment large = Arena.ofAuto().allocate(REGION, 64);
  private final AtomicLong open = new AtomicLong();
  private final Allocations allocations = new Allocations();

  @Override
  public void run(byte[] input) throws IOException {
    RandomGenerator random = new Choices(input);
    Mutations stream = new Mutations(random);
    open.set(0);
    boolean big = random.nextInt(256) == RARE; // nothing that changes often lead to
    MemorySegment region = big ? large : large.asSlice(0, SMALL);
    region.fill(GUARD);
    Case each = new Case(random, stream, region, big ? 60_000 : 300, allocations);
    MemoryChannel channel = new MemoryChannel(open);
    channel.send(stream.bytes, stream.length);
    channel.limitReads(random.nextInt(4) == 0 ? 1 + random.nextInt(64) : Integer.MAX_VALUE);
    channel.finish(random.nextInt(3) == 0);
    SocketRecvComm end = Streams.recvEnd(plugin, Streams.wire(plugin, channel), new Wire[0], 0);
    int[] spare = {MOST_TESTS};
    long begun = System.nanoTime();
    each.run(
        end,
        most -> {
          FuzzTarget.require(
              !channel.hasArrived() || spare[0]-- > 0 || System.nanoTime() - begun < MOST_NANOS,
              "it neither ends nor fails");
          channel.arrive(1 + random.nextInt(most));
        },
        0);
    end.close();
    FuzzTarget.require(open.get() == 0, "a connection was left open");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(SocketRecvComm.class, ControlHeader.class);
  }

  @Override
  public long mostAllocated() {
    return 32 << 20; // what each call allocates is looked at here
  }

  /** One stream and the receives that are posted for it. */
  static final class Case {
    /** The other end. */
    interface Peer {
      /** Sends 1 to {@code most} more bytes, or ends the stream behind the last one. */
      void goOn(int most) throws IOException;
    }

    private final Allocations allocations;
    private final RandomGenerator random;
    private final Mutations stream;
    private final MemorySegment region;
    private final int receives;
    private final int[] starts = new int[MOST_RECEIVES];
    private final int[] posted = new int[MOST_RECEIVES];
    private final @Nullable ResultCode[] failing = new @Nullable ResultCode[MOST_RECEIVES];
    private final int[] from = new int[MOST_RECEIVES];
    private final int[] lengths = new int[MOST_RECEIVES];

    /**
     * Makes up a case.
     *
     * @param stream takes the bytes that are sent
     * @param region memory that is full of {@link #GUARD}
     */
    Case(
        RandomGenerator random,
        Mutations stream,
        MemorySegment region,
        int mostBytes,
        Allocations allocations) {
      this.allocations = allocations;
      this.random = random;
      this.stream = stream;
      this.region = region;
      this.receives = 1 + random.nextInt(MOST_RECEIVES);
      int at = 0;
      for (int i = 0; i < receives; i++) {
        starts[i] = at + random.nextInt(32);
        int room = Math.min(mostBytes, (int) region.byteSize() / receives - 32);
        posted[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(room);
        at = starts[i] + posted[i];
      }
      compose();
      expect();
    }

    private void compose() {
      stream.clear();
      int[] headers = new int[receives];
      for (int i = 0; i < receives; i++) {
        int length = random.nextInt(3) == 0 ? posted[i] : random.nextInt(posted[i] + 1);
        headers[i] = stream.length;
        stream.append(ControlHeader.MARK, 4);
        stream.append(random.nextInt(), 4);
        stream.append(length, 8);
        stream.appendRandom(length);
      }
      int header = headers[random.nextInt(receives)];
      switch (random.nextInt(10)) {
        case 0, 1 -> {} // as it should be
        case 2 -> stream.spoilField(header, 4);
        case 3, 4, 5 -> stream.spoilField(header + 8, 8);
        case 6 -> stream.spoilField(header + random.nextInt(ControlHeader.HEADER), 1);
        case 7 -> {
          stream.clear();
          stream.appendRandom(random.nextInt(100));
        }
        default -> {
          for (int i = 1 + random.nextInt(3); i > 0; i--) {
            stream.spoilAnywhere();
          }
        }
      }
    }

    /** What the format says, without anything of the code that is tried. */
    private void expect() {
      MemorySegment bytes = MemorySegment.ofArray(stream.bytes);
      ValueLayout.OfInt ints = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
      ValueLayout.OfLong longs = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
      int at = 0;
      ResultCode failure = null;
      for (int i = 0; i < receives; i++) {
        if (failure == null) {
          if (stream.length - at < 16) {
            failure = ResultCode.REMOTE_ERROR;
          } else {
            long length = bytes.get(longs, at + 8);
            if (bytes.get(ints, at) != 0x4e54_4e4d || length < 0) {
              failure = ResultCode.REMOTE_ERROR;
            } else if (length > posted[i]) {
              failure = ResultCode.INVALID_USAGE;
            } else if (stream.length - at - 16 < length) {
              failure = ResultCode.REMOTE_ERROR;
            } else {
              from[i] = at + 16;
              lengths[i] = (int) length;
              at += 16 + (int) length;
            }
          }
        }
        failing[i] = failure;
      }
    }

    /** Receives, and checks what comes of it. */
    void run(SocketRecvComm end, Peer peer, int number) throws IOException {
      SocketMemory memory = end.register(Memory.ofHost(region));
      SocketRequest[] requests = new SocketRequest[receives];
      for (int i = 0; i < receives; i++) {
        requests[i] = Objects.requireNonNull(end.post(memory, starts[i], posted[i], 7));
      }
      drive(peer, end, requests, number);
      int guarded = 0;
      for (int i = 0; i < receives; i++) {
        boolean delivered = failing[i] == null;
        requireGuard(guarded, starts[i], number);
        if (delivered) {
          requireSame(i, number);
        }
        // A message that failed may leave anything inside its own receive.
        guarded = starts[i] + (delivered ? lengths[i] : posted[i]);
        region.asSlice(starts[i], posted[i]).fill(GUARD);
      }
      requireGuard(guarded, region.byteSize(), number);
    }

    private void drive(Peer peer, SocketRecvComm end, SocketRequest[] requests, int number)
        throws IOException {
      int[] sizes = new int[1];
      int decided = 0;
      boolean[] over = new boolean[receives];
      int most = random.nextBoolean() ? 1 + random.nextInt(64) : Integer.MAX_VALUE / 2;
      while (decided < receives) {
        peer.goOn(most);
        int i = random.nextInt(receives);
        if (over[i]) {
          continue;
        }
        ResultCode failed = null;
        boolean done = false;
        allocations.begin();
        try {
          done = end.test(requests[i], sizes);
        } catch (NetException e) {
          failed = e.result();
        }
        allocations.end(number);
        if (done || failed != null) {
          over[i] = true;
          decided++;
          FuzzTarget.require(
              failed == failing[i] && (failed != null || sizes[0] == lengths[i]),
              "input "
                  + number
                  + ", receive "
                  + i
                  + ": "
                  + (failed == null ? sizes[0] + " bytes came" : failed)
                  + " where "
                  + (failing[i] == null ? lengths[i] + " bytes" : failing[i])
                  + " should have");
        }
      }
    }

    private void requireSame(int i, int number) {
      MemorySegment sent = MemorySegment.ofArray(stream.bytes).asSlice(from[i], lengths[i]);
      FuzzTarget.require(
          region.asSlice(starts[i], lengths[i]).mismatch(sent) < 0,
          "input " + number + ": other bytes than were sent in receive " + i);
    }

    private void requireGuard(long begin, long end, int number) {
      for (long at = begin; at < end; at++) {
        if (region.get(ValueLayout.JAVA_BYTE, at) != GUARD) {
          throw new AssertionError(
              "input " + number + ": byte " + at + " was written to, where no receive was posted");
        }
      }
    }
  }
}
