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
import java.util.TreeMap;

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
            .computeIfAbsent(
                trace.communicator() + " " + operation.name(), name -> new Meeting(clocks.size()))
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

  /** When the ranks of each clock were in one operation: the last to begin, the first to leave. */
  private static final class Meeting {
    private final long[] begin;
    private final long[] end;

    Meeting(int clocks) {
      begin = new long[clocks];
      end = new long[clocks];
      Arrays.fill(begin, Long.MIN_VALUE);
      Arrays.fill(end, Long.MAX_VALUE);
    }

    void add(int clock, RankTrace.Operation operation) {
      begin[clock] = Math.max(begin[clock], operation.begin());
      end[clock] = Math.min(end[clock], operation.end());
    }

    /** Returns when it has ended, by the first clock that was there. */
    long left() {
      return Arrays.stream(end).filter(each -> each != Long.MAX_VALUE).findFirst().orElse(0);
    }

    /** Lowers what b's correction may be more than a's, in {@code most[a][b]}. */
    void bound(double[][] most) {
      for (int a = 0; a < begin.length; a++) {
        for (int b = 0; b < begin.length; b++) {
          if (a != b && end[a] != Long.MAX_VALUE && begin[b] != Long.MIN_VALUE) {
            most[a][b] = Math.min(most[a][b], (double) (end[a] - begin[b]));
          }
        }
      }
    }
  }

  private static double[][] nothingKnown(int clocks) {
    double[][] most = new double[clocks][clocks];
    for (int a = 0; a < clocks; a++) {
      Arrays.fill(most[a], UNKNOWN);
      most[a][a] = 0;
    }
    return most;
  }

  /** Combines the bounds of some meetings, in their order, by Floyd's and Warshall's algorithm. */
  private void solve(List<Meeting> meetings) {
    int clocks = moments.size();
    double[][] most = nothingKnown(clocks);
    meetings.forEach(each -> each.bound(most));
    for (int over = 0; over < clocks; over++) {
      for (int a = 0; a < clocks; a++) {
        for (int b = 0; b < clocks; b++) {
          most[a][b] = Math.min(most[a][b], most[a][over] + most[over][b]);
        }
      }
    }
    for (int clock = 0; clock < clocks; clock++) {
      if (most[clock][clock] < 0) {
        int half = meetings.size() / 2;
        if (half == 0) {
          contradictory++;
        } else {
          solve(meetings.subList(0, half));
          solve(meetings.subList(half, meetings.size()));
        }
        return;
      }
    }
    long middle = meetings.get(meetings.size() / 2).left();
    for (int clock = 0; clock < clocks; clock++) {
      double high = most[0][clock];
      double low = -most[clock][0];
      if (high < UNKNOWN && low > -UNKNOWN) {
        moments.get(clock).put(middle, new Moment((high + low) / 2, (high - low) / 2));
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
