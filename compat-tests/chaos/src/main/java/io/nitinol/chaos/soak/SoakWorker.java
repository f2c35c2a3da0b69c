// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import io.nitinol.chaos.RandomProgram;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.Elements;
import io.nitinol.core.bootstrap.UniqueId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process of the soak with one rank or several as threads. All ranks keep one communicator for
 * the whole time, on which rank 0 tells the others to go on; each pass splits it, and makes and
 * closes a communicator beside it. Now and then rank 0 has all ranks wait between two passes, when
 * they hold nothing but that communicator, for a {@link Footprint} of their process.
 */
final class SoakWorker {
  /** The first word of a line with a footprint. */
  static final String FOOTPRINT = "footprint";

  /** The same once everything is closed. */
  static final String CLOSED = "closed";

  /** The line of a process that has done everything. */
  static final String DONE = "done";

  private static final int STEPS = 20;
  private static final int FRESH_STEPS = 3;
  private static final int CLASSES = 12;

  private static final byte END = 0;
  private static final byte PASS = 1;
  private static final byte MEASURE = 2;

  private final CommConfig config = CommConfig.standard();
  private final int size;
  private final long begin = System.nanoTime();
  private final long nanos;
  private final long interval;
  private final CyclicBarrier between;
  private final AtomicLong communicators = new AtomicLong();
  private final AtomicLong passes = new AtomicLong();
  private long nextFootprint; // rank 0's, as measured
  private boolean measured;
  private @Nullable ClassHistogram warm; // of the rank that measures, under the barrier, as last
  private @Nullable ClassHistogram last;

  private SoakWorker(int size, int ranks, long nanos, long interval) {
    this.size = size;
    this.nanos = nanos;
    this.interval = interval;
    this.between = new CyclicBarrier(ranks, this::measure);
  }

  /**
   * Runs the ranks until the time is over.
   *
   * @param args the unique id, the number of ranks, the first rank of this process, how many it
   *     has, seconds, a seed, and milliseconds from one footprint to the next
   */
  public static void main(String[] args) throws Exception {
    int first = Integer.parseInt(args[2]);
    int ranks = Integer.parseInt(args[3]);
    SoakWorker worker =
        new SoakWorker(
            Integer.parseInt(args[1]),
            ranks,
            TimeUnit.SECONDS.toNanos(Long.parseLong(args[4])),
            TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[6])));
    Thread[] threads = new Thread[ranks];
    for (int i = 0; i < ranks; i++) {
      int rank = first + i;
      threads[i] =
          Thread.ofPlatform()
              .name("rank " + rank)
              .uncaughtExceptionHandler(SoakWorker::fail)
              .start(() ->
                  worker.run(
                      UniqueId.parse(args[0]), rank, rank == first, Long.parseLong(args[5])));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    worker.tellOfHeap();
    System.out.println(CLOSED + " " + worker.footprint());
    System.out.println(DONE);
  }

  private static void fail(Thread thread, Throwable reason) {
    System.err.println(thread.getName() + " failed");
    reason.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private String footprint() throws IOException {
    double minute = (System.nanoTime() - begin) / 6e10;
    return Footprint.now(minute, communicators.get(), passes.get()).line();
  }

  /** Runs in the last of this process's ranks that comes, while the others wait. */
  private void measure() {
    try {
      System.out.println(FOOTPRINT + " " + footprint());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long time = System.nanoTime() - begin;
    if (warm == null && time > nanos / 4) {
      warm = ClassHistogram.now();
    } else if (time > nanos / 4 * 3) {
      last = ClassHistogram.now();
    }
  }

  /** Prints the classes with more objects at the last footprint than when this process was warm. */
  private void tellOfHeap() {
    ClassHistogram before = warm;
    ClassHistogram after = last;
    if (before != null && after != null) {
      after
          .grownSince(before, CLASSES)
          .forEach(line -> System.out.println("since it was warm " + line));
    }
  }

  private void run(UniqueId worldId, int rank, boolean counts, long seed) {
    byte[] news = new byte[1 + UniqueId.BYTES];
    try (Communicator world = Communicator.init(worldId, size, rank, config)) {
      long pass = 0;
      while (true) {
        UniqueId id = null;
        try {
          if (rank == 0) {
            news[0] = next();
            if (news[0] == PASS) {
              id = UniqueId.create(config.settings(), config.logger());
              System.arraycopy(id.toBytes(), 0, news, 1, UniqueId.BYTES);
            }
          }
          world.blocking().broadcast(Elements.of(news), 0);
          if (news[0] == END) {
            return;
          }
          if (news[0] == MEASURE) {
            awaitFootprint();
            continue;
          }
          RandomProgram program = new RandomProgram(seed + pass, world);
          program.run(STEPS);
          pass(rank, Arrays.copyOfRange(news, 1, news.length), seed + pass);
          pass++;
          if (counts) {
            communicators.addAndGet(1 + program.splits());
            passes.incrementAndGet();
          }
        } finally {
          if (id != null) {
            id.close();
          }
        }
      }
    }
  }

  /** Returns what rank 0 tells the others to do. */
  private byte next() {
    long time = System.nanoTime() - begin;
    measured = !measured && time >= nextFootprint; // a slow machine must come to its passes, too
    if (measured) {
      nextFootprint = time + interval;
      return MEASURE;
    }
    return time < nanos ? PASS : END;
  }

  private void awaitFootprint() {
    try {
      between.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("a rank of this process does not come to be measured", e);
    }
  }

  private void pass(int rank, byte[] id, long seed) {
    try (Communicator fresh = Communicator.init(UniqueId.fromBytes(id), size, rank, config)) {
      RandomProgram.withoutSplits(seed, fresh).run(FRESH_STEPS);
    }
  }
}
