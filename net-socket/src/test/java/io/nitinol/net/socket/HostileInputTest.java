// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes on a listening port and on the streams of established connections. Most inputs come
 * in memory, at some millions in a minute:
 *
 * <pre>
 *  -Dnitinol.fuzz.inputs=N   how many of them; by default a few seconds' worth
 *  -Dnitinol.fuzz.live=N     how many over TCP sockets
 *  -Dnitinol.fuzz.threads=N  how many threads try those in memory
 *  -Dnitinol.fuzz.seed=S     the seed that a failure has named
 *  -Dnitinol.fuzz.batch=B    only that batch of it
 * </pre>
 */
class HostileInputTest {
  private static final int BATCH = 1000;
  private static final long INPUTS = Long.getLong("nitinol.fuzz.inputs", 200_000);
  private static final int LIVE = Integer.getInteger("nitinol.fuzz.live", 200);
  private static final int THREADS = Integer.getInteger("nitinol.fuzz.threads", 2);
  private static final long SEED = Long.getLong("nitinol.fuzz.seed", System.nanoTime());
  private static final long ONLY = Long.getLong("nitinol.fuzz.batch", -1);

  /** How long a thread may be at one batch, which takes some milliseconds. */
  private static final long STUCK_SECONDS = 60;

  private final AtomicLong nextBatch = new AtomicLong();
  private final AtomicLong handshakes = new AtomicLong();
  private final AtomicLong streams = new AtomicLong();
  private final AtomicLong chunked = new AtomicLong();

  @Test
  void inMemory() throws Exception {
    SocketOptions options = SocketOptions.read(Settings.of(Map.of()));
    // The connections in memory have no descriptors, which would be searched for each.
    try (Neighbour neighbour = new Neighbour();
        Loopback plugin = new Loopback("NITINOL_SOCKET_NATIVE", "0")) {
      SocketDevice device = Streams.device(plugin);
      long begin = System.nanoTime();
      long direct = directMemory();
      List<FutureTask<Boolean>> tasks = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        FutureTask<Boolean> task = new FutureTask<>(() -> work(device, options));
        tasks.add(task);
        threads.add(Thread.ofPlatform().daemon().name("fuzz-" + i).start(task));
      }
      for (int i = 0; i < THREADS; i++) {
        await(tasks.get(i), threads.get(i));
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      long messages = neighbour.leave();
      long tried = handshakes.get() + streams.get() + chunked.get();
      System.err.printf(
          "HostileInputTest: %d inputs in memory (%d connections to a listener, %d streams, %d comms of"
              + " several streams) in %d ms, %d a minute; %d messages of the neighbour; seed %d%n",
          tried,
          handshakes.get(),
          streams.get(),
          chunked.get(),
          millis,
          tried * 60_000 / Math.max(1, millis),
          messages,
          SEED);
      assertThat(messages).isPositive();
      assertThat(directMemory()).isLessThan(direct + (4 << 20));
    }
  }

  private boolean work(SocketDevice device, SocketOptions options) throws IOException {
    List<Fuzz> kinds =
        List.of(
            new HandshakeFuzz(options),
            new StreamFuzz(device, options),
            new ChunkFuzz(device, options));
    List<AtomicLong> counts = List.of(handshakes, streams, chunked);
    long batches = ONLY >= 0 ? ONLY + 1 : Math.ceilDiv(INPUTS, BATCH);
    for (long batch = next(); batch < batches; batch = next()) {
      int kind = (int) (batch % kinds.size());
      try {
        SplittableRandom random = new SplittableRandom(SEED + batch * 0x9e3779b97f4a7c15L);
        counts.get(kind).getAndAdd(kinds.get(kind).batch(random, BATCH));
      } catch (IOException | RuntimeException | AssertionError e) {
        String what = kinds.get(kind).getClass().getSimpleName();
        throw new AssertionError(
            "batch " + batch + " of seed " + SEED + ", a " + what + ": " + e, e);
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

  @Test
  void overSockets() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    try (Neighbour neighbour = new Neighbour();
        LiveFuzz live = new LiveFuzz()) {
      SplittableRandom random = new SplittableRandom(SEED);
      live.batch(random, 20); // what is opened once and for all
      long before = count(descriptors);
      int threads = Thread.activeCount();
      long begin = System.nanoTime();
      int tried;
      try {
        tried = live.batch(random, LIVE);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + SEED + ": " + e.getMessage(), e);
      }
      System.err.printf(
          "HostileInputTest: %d inputs over sockets in %d ms; %d messages of the neighbour; seed"
              + " %d%n",
          tried, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin), neighbour.leave(), SEED);
      assertThat(count(descriptors)).isLessThanOrEqualTo(before + 2); // a jar or a log may open
      assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);
    }
  }

  private static long count(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0; // no /proc/self/fd here to count descriptors in
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.count();
    }
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
