// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Hostile bytes over TCP sockets, on a listening port and on established connections. {@code
 * FuzzTest} tries many more of them in memory.
 */
class HostileInputTest {
  private static final long SEED = Long.getLong("nitinol.fuzz.seed", System.nanoTime());
  private static final int INPUTS = Integer.getInteger("nitinol.fuzz.live", 200);

  @Test
  void overSockets() throws Exception {
    Path descriptors = Path.of("/proc/self/fd");
    try (Neighbour neighbour = new Neighbour();
        LiveFuzz live = new LiveFuzz()) {
      SplittableRandom random = new SplittableRandom(SEED);
      live.batch(random, 20); // what is opened once and for all
      long before = count(descriptors);
      int threads = Thread.activeCount();
      try {
        live.batch(random, INPUTS);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + SEED + ": " + e.getMessage(), e);
      }
      assertThat(neighbour.leave()).isPositive();
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
}
