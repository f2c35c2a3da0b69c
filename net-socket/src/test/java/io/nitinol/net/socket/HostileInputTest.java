// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FuzzRun;
import io.nitinol.spi.testing.Thorough;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes on the streams of established connections, and over TCP sockets on a listening port
 * too; {@link FuzzRun} tells how to try more of them.
 */
@Tag(Thorough.TAG) // with more inputs
class HostileInputTest {
  @Test
  void inMemory() throws Exception {
    // The connections in memory have no descriptors, which would be searched for each.
    try (Neighbour neighbour = new Neighbour();
        Loopback plugin = new Loopback("NITINOL_SOCKET_NATIVE", "0")) {
      long direct = directMemory();
      long[] tried =
          FuzzRun.inMemory(
              "HostileInputTest",
              140_000,
              () -> List.of(new StreamFuzz(plugin), new ChunkFuzz(plugin)));
      long messages = neighbour.leave();
      assertThat(tried).doesNotContain(0);
      assertThat(messages).isPositive();
      assertThat(directMemory()).isLessThan(direct + (4 << 20));
    }
  }

  @Test
  void overSockets() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    try (Neighbour neighbour = new Neighbour();
        LiveFuzz live = new LiveFuzz()) {
      SplittableRandom random = new SplittableRandom(FuzzRun.SEED);
      live.batch(random, 20); // what is opened once and for all
      long before = count(descriptors);
      int threads = Thread.activeCount();
      long begin = System.nanoTime();
      int tried;
      try {
        tried = live.batch(random, FuzzRun.LIVE);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + FuzzRun.SEED + ": " + e.getMessage(), e);
      }
      System.err.printf(
          "HostileInputTest: %d inputs over sockets in %d ms; %d messages of the neighbour; seed"
              + " %d%n",
          tried,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin),
          neighbour.leave(),
          FuzzRun.SEED);
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
