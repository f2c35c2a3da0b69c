// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.fuzz.Choices;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.stream.ChunkHeader;
import io.nitinol.net.socket.stream.DataStream;
import io.nitinol.net.socket.stream.InStream;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The streams of a connection with several: announcements on the control stream, chunks in any
 * order on the others, mostly with something spoilt on one of them or a chunk too many. Receives
 * are posted a few at a time, so that slots are used again for messages of other sizes. An unspoilt
 * message must come as it was sent, if it comes. Each other receive must end in a message that fits
 * it or in an error of the peer's. Memory in which no receive was posted must stay as it was.
 */
public final class ChunksTarget implements FuzzTarget {
  private static final int MOST_RECEIVES = 10;
  private static final int MOST_STREAMS = 4;
  private static final int MOST_BYTES = 600;
  private static final int REGION = 6400;
  private static final byte GUARD = 0x5a;
  private static final int MOST_TESTS = 1000;

  /** The connections in memory have no descriptors, which would be searched for each. */
  private final Loopback plugin = new Loopback("NITINOL_SOCKET_NATIVE", "0");

  private final MemorySegment region = Arena.ofAuto().allocate(REGION, 64);
  private final AtomicLong open = new AtomicLong();
  private final Allocations allocations = new Allocations();

  @Override
  public void run(byte[] input) throws IOException {
    RandomGenerator random = new Choices(input);
    List<Mutations> streams = new ArrayList<>();
    for (int i = 0; i <= MOST_STREAMS; i++) {
      streams.add(new Mutations(random));
    }
    open.set(0);
    new Case(random, streams, region.fill(GUARD), 0).run();
    FuzzTarget.require(open.get() == 0, "a connection was left open");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(
        SocketRecvComm.class,
        SocketRequest.class,
        DataStream.class,
        InStream.class,
        ChunkHeader.class);
  }

  @Override
  public long mostAllocated() {
    return 32 << 20; // what each call allocates is looked at here
  }

  private final class Case {
    private final RandomGenerator random;
    private final List<Mutations> streams;
    private final MemorySegment region;
    private final int number;
    private final int receives;
    private final int[] starts = new int[MOST_RECEIVES];
    private final int[] posted = new int[MOST_RECEIVES];
    private final byte[][] sent = new byte[MOST_RECEIVES][];
    private final long[] chunks = new long[MOST_RECEIVES];

    /** Whether everything is as it should be. */
    private final boolean intact;

    /** After which message there is a chunk too many, with nothing else spoilt; -1: none. */
    private final int stray;

    /** How many receives have been posted. */
    private int begun;

    /** Where the headers begin on each stream. */
    private final List<List<Integer>> headers = new ArrayList<>();

    Case(RandomGenerator random, List<Mutations> all, MemorySegment region, int number) {
      this.random = random;
      this.streams = all.subList(0, 2 + random.nextInt(MOST_STREAMS));
      this.region = region;
      this.number = number;
      this.receives = 1 + random.nextInt(MOST_RECEIVES);
      int kind = random.nextInt(5);
      this.intact = kind == 0;
      this.stray = kind == 1 ? random.nextInt(receives) : -1;
      for (Mutations stream : streams) {
        stream.clear();
        headers.add(new ArrayList<>());
      }
      int at = 0;
      for (int i = 0; i < receives; i++) {
        starts[i] = at + random.nextInt(32);
        posted[i] = random.nextInt(MOST_BYTES);
        at = starts[i] + posted[i];
        sent[i] = new byte[random.nextInt(3) == 0 ? posted[i] : random.nextInt(posted[i] + 1)];
        random.nextBytes(sent[i]);
        compose(i);
        if (i == stray) {
          appendStray(random.nextInt(i + 1));
        }
      }
      if (!intact && stray < 0) {
        spoil();
      }
    }

    private void compose(int message) {
      byte[] bytes = sent[message];
      boolean cut = bytes.length > 0 && random.nextInt(4) > 0;
      Mutations control = streams.getFirst();
      headers.getFirst().add(control.length);
      control.append(cut ? 0x4e54_4e4c : 0x4e54_4e4d, 4);
      control.append(random.nextInt(), 4);
      control.append(bytes.length, 8);
      if (!cut) {
        control.append(bytes);
        return;
      }
      int least = Math.ceilDiv(bytes.length, 32);
      int chunk = least + random.nextInt(bytes.length - least + 1);
      control.append(chunk, 8);
      chunks[message] = chunk;
      List<Integer> offsets = new ArrayList<>();
      for (int from = 0; from < bytes.length; from += chunk) {
        offsets.add(random.nextInt(offsets.size() + 1), from);
      }
      for (int from : offsets) {
        int stream = 1 + random.nextInt(streams.size() - 1);
        headers.get(stream).add(streams.get(stream).length);
        byte[] part = Arrays.copyOfRange(bytes, from, Math.min(from + chunk, bytes.length));
        append(streams.get(stream), message, from, part);
      }
    }

    /** Appends a chunk of a message, or one beyond its end; what is in the message is its own. */
    private void appendStray(int message) {
      long size = Math.max(1, chunks[message]);
      int from = (int) (random.nextInt(6) * size);
      byte[] bytes = new byte[(int) size];
      random.nextBytes(bytes);
      int own = Math.clamp(sent[message].length - from, 0, bytes.length);
      System.arraycopy(sent[message], own == 0 ? 0 : from, bytes, 0, own);
      append(streams.get(1 + random.nextInt(streams.size() - 1)), message, from, bytes);
    }

    private static void append(Mutations stream, long message, long from, byte[] bytes) {
      stream.append(0x4e54_4e43, 4);
      stream.append(bytes.length, 4);
      stream.append(message, 8);
      stream.append(from, 8);
      stream.append(bytes);
    }

    private void spoil() {
      int which = random.nextInt(streams.size());
      Mutations stream = streams.get(which);
      List<Integer> begins = headers.get(which);
      int kind = random.nextInt(10);
      if (kind < 6 && !begins.isEmpty()) {
        int header = begins.get(random.nextInt(begins.size()));
        switch (random.nextInt(4)) {
          case 0 -> stream.spoilField(header, 4);
          case 1 -> stream.spoilField(header + 4, 4);
          case 2 -> stream.spoilField(header + 8, 8);
          default -> stream.spoilField(header + 16, 8);
        }
      } else if (kind < 8 && which > 0) {
        // A chunk too many: twice, of no message, of one to come, of one that is over.
        byte[] bytes = new byte[random.nextInt(100)];
        long message = random.nextInt(-1, receives + 3);
        append(stream, message, random.nextInt(-1, MOST_BYTES), bytes);
      } else {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          streams.get(random.nextInt(streams.size())).spoilAnywhere();
        }
      }
    }

    void run() throws IOException {
      List<MemoryChannel> channels = new ArrayList<>();
      Wire[] wires = new Wire[streams.size()];
      for (int i = 0; i < wires.length; i++) {
        MemoryChannel channel = new MemoryChannel(open);
        channel.send(streams.get(i).bytes, streams.get(i).length);
        channel.limitReads(random.nextInt(4) == 0 ? 1 + random.nextInt(64) : Integer.MAX_VALUE);
        channel.finish(!intact && random.nextInt(3) == 0);
        channels.add(channel);
        wires[i] = Streams.wire(plugin, channel);
      }
      SocketRecvComm end =
          Streams.recvEnd(plugin, wires[0], Arrays.copyOfRange(wires, 1, wires.length), 0);
      SocketMemory memory = end.register(Memory.ofHost(region));
      drive(channels, end, memory);
      int guarded = 0;
      for (int i = 0; i < receives; i++) {
        requireGuard(guarded, starts[i]);
        guarded = starts[i] + (i < begun ? posted[i] : 0);
      }
      requireGuard(guarded, REGION);
      region.fill(GUARD);
      end.close();
    }

    private void drive(List<MemoryChannel> channels, SocketRecvComm end, SocketMemory memory) {
      SocketRequest[] requests = new SocketRequest[receives];
      int[] sizes = new int[receives];
      int[] size = new int[1];
      Arrays.fill(sizes, -1);
      int spare = MOST_TESTS;
      int most = random.nextBoolean() ? 1 + random.nextInt(64) : Integer.MAX_VALUE / 2;
      int atOnce = 1 + random.nextInt(receives);
      boolean[] over = new boolean[receives];
      boolean failed = false;
      for (int decided = 0; decided < (failed ? begun : receives); ) {
        while (!failed && begun < receives && begun - decided < atOnce) {
          try {
            requests[begun] =
                Objects.requireNonNull(end.post(memory, starts[begun], posted[begun], 7));
            begun++;
          } catch (NetException e) { // the test that saw the last message complete saw it fail, too
            requireOfPeer(e);
            failed = true;
          }
        }
        boolean all = channels.stream().allMatch(MemoryChannel::hasArrived);
        if (all && spare-- == 0) {
          throw new AssertionError(
              "input " + number + " neither ends nor fails: " + end.occupation());
        }
        channels.get(random.nextInt(channels.size())).arrive(1 + random.nextInt(most));
        int i = random.nextInt(begun);
        if (over[i]) {
          continue;
        }
        allocations.begin();
        NetException failure = null;
        boolean done = false;
        try {
          done = end.test(requests[i], size);
        } catch (NetException e) {
          failure = e;
        }
        allocations.end(number);
        if (failure != null) {
          requireOfPeer(failure);
          failed = true;
        } else if (done) {
          FuzzTarget.require(
              size[0] <= posted[i],
              "input " + number + ": " + size[0] + " bytes in a receive of " + posted[i]);
          sizes[i] = size[0];
        }
        if (done || failure != null) {
          over[i] = true;
          decided++;
        }
      }
      for (int i = 0; i < begun && (intact || stray >= 0); i++) {
        requireOwn(i);
        if (sizes[i] >= 0) {
          requireSent(i, sizes[i]);
        }
      }
    }

    /** Nothing but its own message may be written into a receive, whatever becomes of it. */
    private void requireOwn(int i) {
      for (int at = 0; at < posted[i]; at++) {
        byte there = region.get(ValueLayout.JAVA_BYTE, starts[i] + at);
        if (there != GUARD && (at >= sent[i].length || there != sent[i][at])) {
          throw new AssertionError(
              "input " + number + ": byte " + at + " of receive " + i + " is not of its message");
        }
      }
    }

    private void requireOfPeer(NetException failure) {
      ResultCode result = failure.result();
      boolean ofPeer = result == ResultCode.REMOTE_ERROR || result == ResultCode.INVALID_USAGE;
      FuzzTarget.require(ofPeer && !intact, "input " + number + " failed: " + failure);
    }

    private void requireSent(int i, int size) {
      MemorySegment came = region.asSlice(starts[i], size);
      FuzzTarget.require(
          size == sent[i].length && came.mismatch(MemorySegment.ofArray(sent[i])) < 0,
          "input " + number + ": other bytes than were sent in receive " + i);
    }

    private void requireGuard(long begin, long end) {
      for (long at = begin; at < end; at++) {
        if (region.get(ValueLayout.JAVA_BYTE, at) != GUARD) {
          throw new AssertionError(
              "input " + number + ": byte " + at + " was written to, where no receive was posted");
        }
      }
    }
  }
}
