// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every schedule that a book offers, on all ranks at once. */
class SchedulesTest {
  static final Collective[] COLLECTIVES = {
    Collective.ALL_REDUCE,
    Collective.ALL_GATHER,
    Collective.REDUCE_SCATTER,
    Collective.BROADCAST,
    Collective.REDUCE
  };
  private static final ChunkShape SHAPE = new ChunkShape(512, 4, 64, 1, 1);

  static List<Arguments> ways() {
    List<Arguments> ways = new ArrayList<>();
    for (Collective collective : COLLECTIVES) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : new Protocol[] {Protocol.LL, Protocol.SIMPLE}) {
          ways.add(Arguments.of(collective, algorithm, protocol));
        }
      }
    }
    return ways;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void everyRankCount(Collective collective, Algorithm algorithm, Protocol protocol) {
    long seed = seed();
    SplittableRandom random = new SplittableRandom(seed);
    for (int n = 1; n <= 64; n += n < 20 ? 1 : 1 + random.nextInt(14)) {
      HostLayout layout = usesHosts(algorithm) ? severalHosts(n, random) : oneHost(n);
      SlotShape area = new SlotShape(64 * n, 1 + random.nextInt(4));
      for (boolean direct : new boolean[] {false, true}) {
        BookRun run = new BookRun(layout, SHAPE, area, area, direct, 1, 4, random);
        if (!offered(run, n, collective, algorithm, protocol)) {
          continue;
        }
        boolean blocks =
            collective == Collective.ALL_GATHER || collective == Collective.REDUCE_SCATTER;
        int scale = blocks ? 1 : n;
        for (long count : new long[] {0, 1, scale, 16L * scale + 1, 100L * scale + 7}) {
          add(run, n, collective, algorithm, protocol, count, random);
        }
        tell(seed, run::run);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void randomSequences(Collective collective, Algorithm algorithm, Protocol protocol) {
    long seed = seed();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 100; i++) {
      int n = 1 + random.nextInt(10);
      HostLayout layout =
          switch (algorithm) {
            case DIRECT -> oneHost(n);
            case HIERARCHY, COLLNET_CHAIN, COLLNET_DIRECT -> severalHosts(n, random);
            default -> random.nextInt(3) == 0 ? oneHost(n) : hosts(n, random);
          };
      int least = 64 * n;
      SlotShape ll = new SlotShape(least + 64 * random.nextInt(20), 1 + random.nextInt(5));
      SlotShape simple = new SlotShape(least + 64 * random.nextInt(50), 1 + random.nextInt(5));
      ChunkShape shape =
          new ChunkShape(
              64 * (5 + random.nextInt(16)),
              1 + random.nextInt(4),
              1 + random.nextInt(300),
              1 + random.nextInt(300),
              1 + random.nextInt(4000));
      int elementBytes = 1 << random.nextInt(5);
      BookRun run =
          new BookRun(
              layout,
              shape,
              ll,
              simple,
              random.nextBoolean(),
              1 + random.nextInt(3),
              elementBytes,
              random);
      if (!offered(run, n, collective, algorithm, protocol)) {
        continue;
      }
      for (int k = 1 + random.nextInt(6); k > 0; k--) {
        add(run, n, collective, algorithm, protocol, random.nextLong(3_000), random);
        Collective other = COLLECTIVES[random.nextInt(COLLECTIVES.length)];
        if (run.offers(other, algorithm, protocol)) {
          add(run, n, other, algorithm, protocol, random.nextLong(1_000), random);
        }
      }
      tell(seed, run::run);
    }
  }

  @ParameterizedTest
  @MethodSource("ways")
  void countsBeyondTwoToTheThirtyOne(
      Collective collective, Algorithm algorithm, Protocol protocol) {
    SplittableRandom random = new SplittableRandom(5);
    long count = (1L << 32) + 12_345;
    SlotShape area = new SlotShape(1 << 30, 3);
    ChunkShape shape = new ChunkShape(1 << 29, 4, 64, 1, 1);
    for (HostLayout layout : List.of(oneHost(3), HostLayout.of(0, 0, 1, 1, 1))) {
      for (boolean direct : new boolean[] {false, true}) {
        BookRun run = new BookRun(layout, shape, area, area, direct, 1, 4, random);
        if (run.offers(collective, algorithm, protocol)) {
          add(run, layout.ranks(), collective, algorithm, protocol, count, random);
          run.run();
        }
      }
    }
  }

  private static boolean usesHosts(Algorithm algorithm) {
    return switch (algorithm) {
      case HIERARCHY, COLLNET_CHAIN, COLLNET_DIRECT -> true;
      default -> false;
    };
  }

  private static boolean offered(
      BookRun run, int n, Collective collective, Algorithm algorithm, Protocol protocol) {
    boolean offers = run.offers(collective, algorithm, protocol);
    assumeTrue(
        offers || n < 3, () -> "there is no " + collective + " by " + algorithm + "/" + protocol);
    return offers;
  }

  private static void add(
      BookRun run,
      int n,
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      long count,
      SplittableRandom random) {
    run.add(collective, algorithm, protocol, count, random.nextInt(n), random.nextBoolean());
  }

  static HostLayout oneHost(int n) {
    return HostLayout.of(new long[n]);
  }

  static HostLayout hosts(int n, SplittableRandom random) {
    long[] keys = new long[n];
    int hosts = 1 + random.nextInt(n);
    for (int r = 0; r < n; r++) {
      keys[r] = random.nextInt(hosts);
    }
    return HostLayout.of(keys);
  }

  /** As {@link #hosts}, but more than one if there is more than one rank. */
  private static HostLayout severalHosts(int n, SplittableRandom random) {
    HostLayout layout = hosts(n, random);
    while (layout.hosts() < Math.min(n, 2)) {
      layout = hosts(n, random);
    }
    return layout;
  }

  private static long seed() {
    return Long.getLong("nitinol.test.seed", System.nanoTime());
  }

  private static void tell(long seed, Runnable run) {
    try {
      run.run();
    } catch (AssertionError e) {
      throw new AssertionError("-Dnitinol.test.seed=" + seed + ": " + e.getMessage(), e);
    }
  }
}
