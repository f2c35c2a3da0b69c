// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/**
 * Many hostile inputs in memory, at some millions in a minute, on several threads:
 *
 * <pre>
 *  -Dnitinol.fuzz.inputs=N   how many of them; by default a few seconds' worth, 20 times as many in a thorough run
 *  -Dnitinol.fuzz.live=N     how many over TCP sockets
 *  -Dnitinol.fuzz.threads=N  how many threads try those in memory
 *  -Dnitinol.fuzz.seed=S     the seed that a failure has named
 *  -Dnitinol.fuzz.batch=B    only that batch of it
 * </pre>
 */
public final class FuzzRun {
  /** The seed of this process. */
  public static final long SEED = Long.getLong("nitinol.fuzz.seed", System.nanoTime());

  /** How many inputs go over TCP sockets. */
  public static final int LIVE = Integer.getInteger("nitinol.fuzz.live", 200);

  private static final int BATCH = 1000;
  private static final int THREADS = Integer.getInteger("nitinol.fuzz.threads", 2);

  /** How many times the usual number a thorough run tries: minutes instead of seconds. */
  private static final int TIMES = Thorough.ON ? 20 : 1;

  private static final long ONLY = Long.getLong("nitinol.fuzz.batch", -1);

  /** How long a thread may be at one batch, which takes some milliseconds. */
  private static final long STUCK_SECONDS = 60;

  private final AtomicLong nextBatch = new AtomicLong();
  private final Supplier<List<Fuzz>> kinds;
  private final AtomicLongArray tried;
  private final long batches;

  private FuzzRun(Supplier<List<Fuzz>> kinds, long usual) {
    this.kinds = kinds;
    this.tried = new AtomicLongArray(kinds.get().size());
    this.batches =
        ONLY >= 0
            ? ONLY + 1
            : Math.ceilDiv(Long.getLong("nitinol.fuzz.inputs", TIMES * usual), (long) BATCH);
  }

  /**
   * Tries batches of each kind in turn.
   *
   * @param what the test for the line that says how much was tried
   * @param usual how many inputs unless told
   * @param kinds makes the kinds for one thread
   * @return how many inputs of each kind were tried
   */
  public static long[] inMemory(String what, long usual, Supplier<List<Fuzz>> kinds)
      throws Exception {
    FuzzRun run = new FuzzRun(kinds, usual);
    long begin = System.nanoTime();
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      FutureTask<Boolean> task = new FutureTask<>(run::work);
      tasks.add(task);
      threads.add(Thread.ofPlatform().daemon().name("fuzz-" + i).start(task));
    }
    for (int i = 0; i < THREADS; i++) {
      run.await(tasks.get(i), threads.get(i));
    }
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    long[] counts = new long[run.tried.length()];
    Arrays.setAll(counts, run.tried::get);
    long all = Arrays.stream(counts).sum();
    System.err.printf(
        "%s: %d inputs in memory, by kind %s, in %d ms, %d a minute; seed %d%n",
        what, all, Arrays.toString(counts), millis, all * 60_000 / millis, SEED);
    return counts;
  }

  private boolean work() throws IOException {
    List<Fuzz> own = kinds.get();
    for (long batch = next(); batch < batches; batch = next()) {
      int kind = (int) (batch % own.size());
      try {
        SplittableRandom random = new SplittableRandom(SEED + batch * 0x9e3779b97f4a7c15L);
        tried.getAndAdd(kind, own.get(kind).batch(random, BATCH));
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(
            "batch "
                + batch
                + " of seed "
                + SEED
                + ", a "
                + own.get(kind).getClass().getSimpleName()
                + ": "
                + e,
            e);
      }
    }
    return true;
  }

  private long next() {
    return ONLY >= 0 ? ONLY + nextBatch.getAndIncrement() : nextBatch.getAndIncrement();
  }

  /** Waits for a thread as long as any of them gets on. */
  private void await(FutureTask<Boolean> task, Thread thread) throws Exception {
    while (true) {
      long before = nextBatch.get();
      try {
        task.get(STUCK_SECONDS, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException e) {
        assertThat(nextBatch.get())
            .as(
                "batches begun, of seed %d; %s is at %s",
                SEED, thread.getName(), Arrays.toString(thread.getStackTrace()))
            .isGreaterThan(before);
      }
    }
  }
}
