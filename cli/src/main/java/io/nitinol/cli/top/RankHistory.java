// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.FlightLog;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts what each rank has done from one look to the next. */
final class RankHistory {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * What a rank has done.
   *
   * @param operationsPerSecond since the look before; negative where there was none
   * @param bytesPerSecond likewise
   * @param underWayMicros for how long the operation at hand is known to be under way; 0 for none
   * @param standingMicros for how long nothing is known to have moved in it
   */
  record Progress(
      double operationsPerSecond, double bytesPerSecond, long underWayMicros, long standingMicros) {
    boolean hasRates() {
      return operationsPerSecond >= 0;
    }
  }

  /**
   * A rank as it was at a look.
   *
   * @param atHand since when, by {@link System#nanoTime}, it was seen in its operation at hand
   * @param still since when it was seen with nothing moved
   */
  private record Seen(LiveRank rank, long nanos, long atHand, long still) {}

  private Map<LiveRank.Key, Seen> before = Map.of();

  /** Takes a look, and returns what each of its ranks has done since the one before. */
  Map<LiveRank.Key, Progress> take(LiveLook look) {
    Map<LiveRank.Key, Seen> now = new HashMap<>();
    Map<LiveRank.Key, Progress> progress = new HashMap<>();
    for (LiveRank rank : look.ranks()) {
      Seen last = before.get(rank.key());
      Seen seen = seen(rank, look.nanos(), last);
      now.put(rank.key(), seen);
      progress.put(rank.key(), progress(seen, last));
    }
    before = now;
    return progress;
  }

  private static Seen seen(LiveRank rank, long nanos, @Nullable Seen last) {
    if (last == null || !isBusy(last.rank) || last.rank.done() != rank.done()) {
      return new Seen(rank, nanos, nanos, nanos);
    }
    boolean still = last.rank.moves() == rank.moves();
    return new Seen(rank, nanos, last.atHand, still ? last.still : nanos);
  }

  private static boolean isBusy(LiveRank rank) {
    return rank.log().since() != FlightLog.NEVER;
  }

  private static Progress progress(Seen seen, @Nullable Seen last) {
    LiveRank rank = seen.rank;
    long standing = 0;
    long underWay = 0;
    if (isBusy(rank)) {
      // A driving thread that is stuck in a plugin does not notice that nothing moves.
      standing =
          Math.max(rank.quietMicros(), TimeUnit.NANOSECONDS.toMicros(seen.nanos - seen.still));
      long seenFor = TimeUnit.NANOSECONDS.toMicros(seen.nanos - seen.atHand);
      underWay = Math.max(standing, Math.max(seenFor, rank.log().waited(rank.log().written())));
    }
    if (last == null || seen.nanos <= last.nanos) {
      return new Progress(-1, -1, underWay, standing);
    }
    double seconds = (seen.nanos - last.nanos) / NANOS;
    return new Progress(
        (rank.done() - last.rank.done()) / seconds,
        (rank.bytes() - last.rank.bytes()) / seconds,
        underWay,
        standing);
  }
}
