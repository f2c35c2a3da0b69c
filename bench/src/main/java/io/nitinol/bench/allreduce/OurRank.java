// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.Median;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of our ranks, told what to do through a UNIX socket of its own; does the same as {@code
 * allreduce_mpi.c}, where the command {@code run} is described, and has {@code pairs} besides.
 */
public final class OurRank {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final Communicator communicator;
  private final boolean allocated;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment barrier = arena.allocate(2 * FLOAT.byteSize(), 64);
  private final MemorySegment one = barrier.asSlice(0, FLOAT.byteSize());
  private final MemorySegment all = barrier.asSlice(FLOAT.byteSize(), FLOAT.byteSize());

  private Arena buffers = Arena.ofShared();

  /** What the communicator has given: freed with it, so it is used again for smaller sizes. */
  private MemorySegment given = MemorySegment.NULL;

  private MemorySegment send = MemorySegment.NULL;
  private MemorySegment recv = MemorySegment.NULL;

  private OurRank(Communicator communicator, boolean allocated) {
    this.communicator = communicator;
    this.allocated = allocated;
  }

  /**
   * Runs a rank until its connection ends.
   *
   * @param arguments the socket, the unique id, the rank, the number of ranks; and "allocated"
   *     where buffers come from the communicator
   */
  public static void main(String[] arguments) throws IOException {
    UniqueId id = UniqueId.parse(arguments[1]);
    int rank = Integer.parseInt(arguments[2]);
    int size = Integer.parseInt(arguments[3]);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]));
        Communicator communicator = Communicator.init(id, size, rank)) {
      new OurRank(communicator, arguments.length > 4).serve(channel);
    }
  }

  private void serve(SocketChannel channel) throws IOException {
    say(
        channel,
        "hello %s %s %s %s"
            .formatted(
                communicator.rank(),
                communicator.size(),
                Path.of("/proc/thread-self").toRealPath().getFileName(),
                communicator.describe()));
    BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      say(channel, answer(line));
    }
  }

  private String answer(String line) throws IOException {
    String[] words = line.split(" ", -1);
    return switch (words[0] + words.length) {
      case "run6" ->
          run(
              Long.parseLong(words[1]),
              Long.parseLong(words[2]),
              Long.parseLong(words[3]),
              words[4].equals("1"));
      case "pairs4" ->
          pairs(Long.parseLong(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]));
      default -> throw new IOException("not understood: " + line);
    };
  }

  private static void say(SocketChannel channel, String line) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private String run(long bytes, long warmup, long iterations, boolean check) {
    fill(bytes);
    repeat(send, recv, warmup);
    repeat(one, all, 1); // a barrier
    long start = System.nanoTime();
    repeat(send, recv, iterations);
    double each = (double) (System.nanoTime() - start) / iterations;
    String wrong = check ? wrongInOneMore() : null;
    return wrong != null ? wrong : String.format(Locale.ROOT, "ok %.1f", each);
  }

  /**
   * Times operations without events and with them, by turns and in pairs. All ranks count alike, so
   * an operation has events on all or on none.
   *
   * @param each how many operations of a pair have events, and how many have none; one more of both
   *     is not timed
   */
  private String pairs(long bytes, int pairs, long each) {
    fill(bytes);
    double[] without = new double[pairs];
    double[] with = new double[pairs];
    double[] ratios = new double[pairs];
    for (int pair = 0; pair < pairs; pair++) {
      boolean first = pair % 2 == 0;
      double[] before = first ? with : without;
      double[] after = first ? without : with;
      before[pair] = switched(first, each);
      after[pair] = switched(!first, each);
      ratios[pair] = with[pair] / without[pair];
    }
    SwitchedProfiler.set(false);
    String wrong = wrongInOneMore();
    return wrong != null
        ? wrong
        : String.format(
            Locale.ROOT,
            "ok %.1f %.1f %.5f %s",
            Median.of(without),
            Median.of(with),
            Median.of(ratios),
            SwitchedProfiler.takeCounts());
  }

  private double switched(boolean on, long times) {
    SwitchedProfiler.set(on);
    repeat(send, recv, 1); // the others are still at the last one
    long start = System.nanoTime();
    repeat(send, recv, times);
    return (double) (System.nanoTime() - start) / times;
  }

  /** Sees to buffers of a size, with the elements that are to be sent. */
  private void fill(long bytes) {
    if (send.byteSize() != bytes) {
      take(bytes);
      for (long i = 0; i < bytes / FLOAT.byteSize(); i++) {
        send.setAtIndex(FLOAT, i, element(communicator.rank(), i));
      }
    }
  }

  private void take(long bytes) {
    if (!allocated) {
      buffers.close();
      buffers = Arena.ofShared();
      send = buffers.allocate(bytes, 4096);
      recv = buffers.allocate(bytes, 4096);
      return;
    }
    long apart = (bytes + 4095) / 4096 * 4096;
    if (given.byteSize() < 2 * apart) {
      given = communicator.allocate(2 * apart);
    }
    send = given.asSlice(0, bytes);
    recv = given.asSlice(apart, bytes);
  }

  private void repeat(MemorySegment from, MemorySegment to, long times) {
    long count = from.byteSize() / FLOAT.byteSize();
    for (long i = 0; i < times; i++) {
      once(from, to, count);
    }
  }

  /** What an application's loop does; a method of its own, so that the JIT sees it called often. */
  private void once(MemorySegment from, MemorySegment to, long count) {
    communicator.allReduce(from, to, count, DataType.FLOAT32, ReductionOp.SUM).await();
  }

  /** Runs one more, and looks at every element of its result. */
  private @Nullable String wrongInOneMore() {
    recv.fill((byte) 0xff); // NaN
    repeat(send, recv, 1);
    for (long i = 0; i < recv.byteSize() / FLOAT.byteSize(); i++) {
      float expected = 0;
      for (int rank = 0; rank < communicator.size(); rank++) {
        expected += element(rank, i);
      }
      float got = recv.getAtIndex(FLOAT, i);
      if (got != expected) {
        return "wrong " + i + " " + got + " " + expected;
      }
    }
    return null;
  }

  /** Small whole numbers: sums of up to some thousand ranks are exact in every order. */
  private static float element(int rank, long i) {
    return (i * 7 + rank * 131L) % 1021;
  }
}
