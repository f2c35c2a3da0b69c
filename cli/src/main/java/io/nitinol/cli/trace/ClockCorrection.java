// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the clocks of hosts are from that of the first one, from the operations alone.
 *
 * <p>No rank can leave an all-reduce before the last rank has begun it. So where rank {@code a} has
 * left at {@code end} and rank {@code b} has begun at {@code begin}, each by its own clock, {@code
 * b}'s clock is ahead by no less than {@code begin - end}. The same operation says it the other way
 * round, too, and each further one narrows the interval. Such bounds between several clocks are
 * distances in a graph, and a shortest path combines them. In the middle between the least and the
 * greatest correction all of them hold at once.
 *
 * <p>Clocks drift. So each second of the job is looked at alone, and halved as often as its
 * operations contradict each other. The correction of a moment is interpolated between those around
 * it.
 */
final class ClockCorrection {
  private static final long SECOND = 1_000_000_000L;
  private static final int NONE = -1;
  private static final double UNKNOWN = Double.POSITIVE_INFINITY;

  /** An interval is wide that is so many times as wide as another one. */
  private static final double MANY = 4;

  /** What a clock gains or loses at most in a unit of time, by a usual crystal. */
  private static final double DRIFT = 50e-6;

  /**
   * What is known of a clock.
   *
   * @param host the name of a host that has it
   * @param nanos what is added to its times in the middle of the job
   * @param within how far that may be off at most times, in nanoseconds; infinite where no
   *     operation tells
   */
  record Known(String host, double nanos, double within) {}

  /** {@link Meeting#lower} or {@link Meeting#raise}. */
  @FunctionalInterface
  private interface Relaxing {
    boolean relax(Meeting meeting, double[] most, int[] before);
  }

  /** A correction at one time. */
  private record Moment(double nanos, double within) {}

  private final Map<String, Integer> clocks = new HashMap<>();
  private final List<String> hosts = new ArrayList<>();
  private final List<NavigableMap<Long, Moment>> moments = new ArrayList<>();
  private int contradictory;

  private ClockCorrection() {}

  /** Finds the corrections for some traces, the first of which has the clock that is right. */
  static ClockCorrection of(List<RankTrace> traces) {
    ClockCorrection found = new ClockCorrection();
    Map<String, Integer> clocks = found.clocks;
    for (RankTrace trace : traces) {
      if (clocks.putIfAbsent(trace.clock(), clocks.size()) == null) {
        found.hosts.add(trace.host());
        found.moments.add(new TreeMap<>());
      }
    }
    Map<String, Meeting> meetings = new LinkedHashMap<>();
    for (RankTrace trace : traces) {
      int clock = clocks.getOrDefault(trace.clock(), 0);
      for (RankTrace.Operation operation : trace.operations()) {
        meetings
            .computeIfAbsent(trace.communicator() + " " + operation.name(), name -> new Meeting())
            .add(clock, operation);
      }
    }
    NavigableMap<Long, List<Meeting>> seconds = new TreeMap<>();
    for (Meeting each : meetings.values()) {
      seconds
          .computeIfAbsent(Math.floorDiv(each.left(), SECOND), second -> new ArrayList<>())
          .add(each);
    }
    for (List<Meeting> each : seconds.values()) {
      each.sort(Comparator.comparingLong(Meeting::left));
      found.solve(each);
    }
    if (!seconds.isEmpty() && found.moments.stream().skip(1).anyMatch(Map::isEmpty)) {
      found.solveForTheRest(seconds.values().stream().flatMap(List::stream).toList());
    }
    found.moments.forEach(ClockCorrection::keepTheGood);
    return found;
  }

  /**
   * Drops what slow operations say, which leave wide intervals, where quick ones of about the same
   * time say it better.
   */
  private static void keepTheGood(NavigableMap<Long, Moment> all) {
    Set<Long> wide = new HashSet<>();
    for (NavigableMap<Long, Moment> way : List.of(all, all.descendingMap())) {
      double best = UNKNOWN;
      long last = 0;
      for (Map.Entry<Long, Moment> each : way.entrySet()) {
        best += DRIFT * Math.abs(each.getKey() - last);
        last = each.getKey();
        if (each.getValue().within > MANY * best) {
          wide.add(each.getKey());
        }
        best = Math.min(best, each.getValue().within);
      }
    }
    all.keySet().removeAll(wide);
  }

  /** Returns the middle one of the intervals' halves. */
  private static double within(Collection<Moment> all) {
    double[] sorted = all.stream().mapToDouble(Moment::within).sorted().toArray();
    return sorted.length == 0 ? UNKNOWN : sorted[sorted.length / 2];
  }

  /**
   * Looks at the whole job at once for the clocks of which no second has told. What joins them with
   * the first one may be several communicators that were busy at different times.
   */
  private void solveForTheRest(List<Meeting> meetings) {
    ClockCorrection whole = new ClockCorrection();
    moments.forEach(each -> whole.moments.add(new TreeMap<>()));
    whole.solve(meetings);
    for (int clock = 1; clock < moments.size(); clock++) {
      if (moments.get(clock).isEmpty()) {
        moments.get(clock).putAll(whole.moments.get(clock));
      }
    }
  }

  /**
   * When the ranks of each clock were in one operation.
   *
   * @param begins when the last rank of each clock has begun
   * @param ends when the first has left
   */
  private record Meeting(SortedMap<Integer, Long> begins, SortedMap<Integer, Long> ends) {
    Meeting() {
      this(new TreeMap<>(), new TreeMap<>());
    }

    void add(int clock, RankTrace.Operation operation) {
      begins.merge(clock, operation.begin(), Math::max);
      ends.merge(clock, operation.end(), Math::min);
    }

    /** Returns when it has ended, by the first clock that was there. */
    long left() {
      return ends.getOrDefault(ends.firstKey(), 0L);
    }

    /**
     * Lowers what the clocks' corrections may be at most: no rank leaves before the last has begun,
     * by whichever clock.
     *
     * @param most by clock
     * @param before by clock, from which other one its bound comes
     * @return whether it lowers one
     */
    boolean lower(double[] most, int[] before) {
      return relax(most, before, ends, 1, begins);
    }

    /** Lowers what may be taken from the clocks' times at most, likewise. */
    boolean raise(double[] most, int[] before) {
      return relax(most, before, begins, -1, ends);
    }

    /** Goes from every clock over this meeting to every other one. */
    private boolean relax(
        double[] most,
        int[] before,
        SortedMap<Integer, Long> from,
        int sign,
        SortedMap<Integer, Long> to) {
      long by = left(); // near the times, since a double does not have all digits of these
      double least = UNKNOWN;
      double second = UNKNOWN;
      int leastOf = NONE;
      int secondOf = NONE;
      for (Map.Entry<Integer, Long> each : from.entrySet()) {
        double way = most[each.getKey()] + sign * (each.getValue() - by);
        if (way < least) {
          second = least;
          secondOf = leastOf;
          least = way;
          leastOf = each.getKey();
        } else if (way < second) {
          second = way;
          secondOf = each.getKey();
        }
      }
      boolean any = false;
      for (Map.Entry<Integer, Long> each : to.entrySet()) {
        int clock = each.getKey();
        double way = (clock == leastOf ? second : least) - sign * (each.getValue() - by);
        if (way < most[clock]) {
          most[clock] = way;
          before[clock] = clock == leastOf ? secondOf : leastOf;
          any = true;
        }
      }
      return any;
    }
  }

  /**
   * Returns the shortest paths from the first clock over the bounds of all meetings, by Bellman's
   * and Ford's algorithm: as many rounds as a path has meetings, which are few where all hosts meet
   * often. Null where the bounds contradict each other: then a path goes in a circle and becomes
   * shorter with every time, by as little as a nanosecond.
   */
  private static double @Nullable [] shortest(List<Meeting> meetings, int clocks, Relaxing by) {
    double[] most = new double[clocks];
    Arrays.fill(most, UNKNOWN);
    most[0] = 0;
    int[] before = new int[clocks];
    Arrays.fill(before, NONE);
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Meeting each : meetings) {
        changed |= by.relax(each, most, before);
      }
      if (most[0] < 0 || hasCircle(before)) {
        return null;
      }
    }
    return most;
  }

  /** Returns whether a clock's bound comes from itself, over others. */
  private static boolean hasCircle(int[] before) {
    int[] seenFrom = new int[before.length];
    Arrays.fill(seenFrom, NONE);
    for (int start = 0; start < before.length; start++) {
      int clock = start;
      while (clock != NONE && seenFrom[clock] == NONE) {
        seenFrom[clock] = start;
        clock = before[clock];
      }
      if (clock != NONE && seenFrom[clock] == start) {
        return true;
      }
    }
    return false;
  }

  /** Combines the bounds of some meetings, in their order. */
  private void solve(List<Meeting> meetings) {
    int clocks = moments.size();
    double[] high = shortest(meetings, clocks, Meeting::lower);
    double[] low = high == null ? null : shortest(meetings, clocks, Meeting::raise);
    if (high == null || low == null) {
      int half = meetings.size() / 2;
      if (half == 0) {
        contradictory++;
      } else {
        solve(meetings.subList(0, half));
        solve(meetings.subList(half, meetings.size()));
      }
      return;
    }
    long middle = meetings.get(meetings.size() / 2).left();
    for (int clock = 0; clock < clocks; clock++) {
      if (high[clock] < UNKNOWN && low[clock] < UNKNOWN) {
        moments
            .get(clock)
            .put(
                middle, new Moment((high[clock] - low[clock]) / 2, (high[clock] + low[clock]) / 2));
      }
    }
  }

  /** Returns how many operations no correction explains. */
  int contradictory() {
    return contradictory;
  }

  /** Returns what is known of the clocks, the right one first. */
  List<Known> known() {
    List<Known> all = new ArrayList<>();
    int clock = 0;
    for (String host : hosts) {
      List<Moment> seen = List.copyOf(moments.get(clock).values());
      if (clock == 0) {
        all.add(new Known(host, 0, 0));
      } else if (seen.isEmpty()) {
        all.add(new Known(host, 0, UNKNOWN));
      } else {
        all.add(new Known(host, seen.get(seen.size() / 2).nanos, within(seen)));
      }
      clock++;
    }
    return all;
  }

  /**
   * Returns what to add to a time.
   *
   * @param clock the clock of the time, one of the traces'
   * @param nanos the time, by the host's time since 1970
   */
  double at(String clock, long nanos) {
    int index = clocks.getOrDefault(clock, 0);
    NavigableMap<Long, Moment> known = moments.get(index);
    if (index == 0 || known.isEmpty()) {
      return 0;
    }
    // The times of corrections are the first clock's, from which this one may be hours away.
    long at = nanos + Math.round(known.firstEntry().getValue().nanos);
    Map.Entry<Long, Moment> before = known.floorEntry(at);
    Map.Entry<Long, Moment> after = known.higherEntry(at);
    if (before == null) {
      return known.firstEntry().getValue().nanos;
    }
    if (after == null) {
      return before.getValue().nanos;
    }
    double part = (double) (at - before.getKey()) / (after.getKey() - before.getKey());
    return before.getValue().nanos + part * (after.getValue().nanos - before.getValue().nanos);
  }
}
