// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import io.nitinol.chaos.RandomProgram;
import io.nitinol.core.CommConfig;
import io.nitinol.core.Communicator;
import io.nitinol.core.Elements;
import io.nitinol.core.bootstrap.UniqueId;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of the soak with one rank or several as threads. All ranks keep one communicator for
 * the whole time, on which rank 0 tells the others to go on; each pass splits it, and makes and
 * closes a communicator beside it. Prints a {@link Footprint} now and then.
 */
final class SoakWorker {
  private static final int STEPS = 20;
  private static final int FRESH_STEPS = 3;

  private final CommConfig config = CommConfig.standard();
  private final int size;
  private final long deadline;
  private final AtomicLong communicators = new AtomicLong();
  private final AtomicLong passes = new AtomicLong();

  private SoakWorker(int size, long deadline) {
    this.size = size;
    this.deadline = deadline;
  }

  /**
   * Runs the ranks until the time is over.
   *
   * @param args the unique id, the number of ranks, the first rank of this process, how many it
   *     has, seconds, a seed, and seconds from one footprint to the next
   */
  public static void main(String[] args) throws Exception {
    int first = Integer.parseInt(args[2]);
    int ranks = Integer.parseInt(args[3]);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[4]));
    SoakWorker worker = new SoakWorker(Integer.parseInt(args[1]), deadline);
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
      while (!thread.join(Duration.ofSeconds(Long.parseLong(args[6])))) {
        worker.report();
      }
    }
    worker.report();
    System.out.println("done");
  }

  private static void fail(Thread thread, Throwable reason) {
    System.err.println(thread.getName() + " failed");
    reason.printStackTrace();
    Runtime.getRuntime().halt(1);
  }

  private void report() throws IOException {
    System.out.println(Footprint.now(communicators.get(), passes.get()).line());
  }

  private void run(UniqueId worldId, int rank, boolean counts, long seed) {
    byte[] news = new byte[1 + UniqueId.BYTES];
    try (Communicator world = Communicator.init(worldId, size, rank, config)) {
      for (long pass = 0; ; pass++) {
        UniqueId id = null;
        try {
          if (rank == 0 && System.nanoTime() - deadline < 0) {
            id = UniqueId.create(config.settings(), config.logger());
            System.arraycopy(id.toBytes(), 0, news, 1, UniqueId.BYTES);
            news[0] = 1;
          } else if (rank == 0) {
            news[0] = 0;
          }
          world.blocking().broadcast(Elements.of(news), 0);
          if (news[0] == 0) {
            return;
          }
          RandomProgram program = new RandomProgram(seed + pass, world);
          program.run(STEPS);
          pass(rank, Arrays.copyOfRange(news, 1, news.length), seed + pass);
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

  private void pass(int rank, byte[] id, long seed) {
    try (Communicator fresh = Communicator.init(UniqueId.fromBytes(id), size, rank, config)) {
      RandomProgram.withoutSplits(seed, fresh).run(FRESH_STEPS);
    }
  }
}
