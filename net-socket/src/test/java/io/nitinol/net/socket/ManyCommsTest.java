// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many connections at once, random sizes in random order, and memory of the largest size. */
class ManyCommsTest {
  private static final int ARENA = 1 << 20;

  @Test
  void randomTrafficOnManyThreadsArrivesUnchanged() throws Exception {
    long seed = new Random().nextLong();
    System.err.println("randomTrafficOnManyThreadsArrivesUnchanged: seed " + seed);
    int comms = 12;
    try (ExecutorService threads = Executors.newFixedThreadPool(comms)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < comms; i++) {
        long own = seed + i;
        all.add(threads.submit(() -> traffic(own, 1500)));
      }
      try {
        for (Future<?> each : all) {
          each.get();
        }
      } catch (InterruptedException e) {
        threads.shutdownNow(); // the test's time is over
        throw e;
      }
    }
  }

  private record Message(Request request, long offset, long length, long seed) {}

  /** Both ends of one connection, driven by one thread in an order that the seed decides. */
  private static void traffic(long seed, int messages) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment out = pair.arena.allocate(32L * ARENA);
      MemorySegment in = pair.arena.allocate(32L * ARENA);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      MemorySegment expected = pair.arena.allocate(ARENA);
      Queue<Message> sizes = new ArrayDeque<>(); // sent, not yet received
      List<Message> sends = new ArrayList<>();
      Queue<Message> receives = new ArrayDeque<>();
      boolean[] outTaken = new boolean[32];
      int sent = 0;
      int posted = 0;
      int received = 0;
      int[] size = new int[1];
      while (received < messages) {
        assertThat(Thread.currentThread().isInterrupted()).as("seed %d is stuck", seed).isFalse();
        switch (random.nextInt(4)) {
          case 0 -> {
            int slot = random.nextInt(32);
            if (sent < messages && !outTaken[slot]) {
              long length = length(random);
              long offset = (long) slot * ARENA + random.nextInt(ARENA - (int) length + 1);
              Loopback.fill(out.asSlice(offset, length), seed * 31 + sent);
              Request request = pair.net.isend(pair.send, outMr, offset, length, sent);
              if (request != null) {
                outTaken[slot] = true;
                Message message = new Message(request, offset, length, seed * 31 + sent);
                sends.add(message);
                sizes.add(message);
                sent++;
              }
            }
          }
          case 1 -> {
            if (posted < messages) {
              long offset = (long) (posted % 32) * ARENA;
              Request request = pair.irecv(inMr, offset, ARENA);
              if (request != null) {
                receives.add(new Message(request, offset, 0, 0));
                posted++;
              }
            }
          }
          case 2 -> {
            if (!sends.isEmpty()) {
              int index = random.nextInt(sends.size());
              Message message = sends.get(index);
              if (pair.net.test(message.request(), size)) {
                assertThat((long) size[0]).isEqualTo(message.length());
                outTaken[(int) (message.offset() / ARENA)] = false;
                sends.remove(index);
              }
            }
          }
          default -> {
            Message message = receives.peek();
            if (message != null && pair.net.test(message.request(), size)) {
              receives.remove();
              Message was = sizes.remove();
              assertThat((long) size[0]).as("seed %d", seed).isEqualTo(was.length());
              Loopback.fill(expected.asSlice(0, was.length()), was.seed());
              assertThat(
                      in.asSlice(message.offset(), was.length())
                          .mismatch(expected.asSlice(0, was.length())))
                  .as("seed %d, message %d of %d bytes", seed, received, was.length())
                  .isEqualTo(-1);
              received++;
            }
          }
        }
      }
    }
  }

  private static long length(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1, 2, 3 -> random.nextInt(64);
      case 4, 5 -> random.nextInt(20_000);
      case 6 -> (1 << random.nextInt(20)) + random.nextInt(3) - 1;
      default -> random.nextInt(ARENA);
    };
  }

  @Test
  void memoryOfTheLargestSize(@TempDir Path directory) throws IOException {
    long size = Integer.MAX_VALUE;
    long gib = 1L << 30;
    try (Loopback pair = new Loopback().connected();
        Arena arena = Arena.ofShared();
        FileChannel file =
            FileChannel.open(
                directory.resolve("sparse"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
      MemoryHandle out = pair.register(pair.send, memory);
      MemoryHandle in = pair.register(pair.recv, memory);
      long length = 3_000_000;
      long[] from = {0, gib - 1_000_000, gib - length, gib, size - length};
      for (int i = 0; i < from.length; i++) {
        Loopback.fill(memory.asSlice(from[i], length), i);
        long to = from[i] > gib ? 500_000_000L + i : size - 20_000_000L + i;
        Request receiving = pair.irecv(in, to, length);
        Request sending = pair.net.isend(pair.send, out, from[i], length, 0);
        assertThat(pair.complete(sending, receiving)).isEqualTo((int) length);
        assertThat(memory.asSlice(to, length).mismatch(memory.asSlice(from[i], length)))
            .isEqualTo(-1);
      }
      Request receiving = pair.irecv(in, size, 0);
      assertThat(pair.complete(pair.net.isend(pair.send, out, size, 0, 0), receiving)).isZero();
      Request last = pair.irecv(in, size - 1, 1);
      memory.set(ValueLayout.JAVA_BYTE, gib, (byte) 42);
      assertThat(pair.complete(pair.net.isend(pair.send, out, gib, 1, 0), last)).isEqualTo(1);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, size - 1)).isEqualTo((byte) 42);
      pair.net.deregMr(pair.send, out);
      pair.net.deregMr(pair.recv, in);
    }
  }
}
