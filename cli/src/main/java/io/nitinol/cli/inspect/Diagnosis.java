// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the flight recorders of one communicator's ranks say together, after PyTorch's analyzer of
 * such files and NCCL's RAS.
 *
 * <p>The files are never of the very same moment, and a rank of a running job is always a little
 * behind another one. So a rank is only called behind where another one has stood still, since a
 * second before the oldest of the files, in a call that the rank had not reached. A file that is
 * much older than the newest one tells of no wait: its rank did not answer the last request.
 *
 * @param communicator which one
 * @param size how many ranks it has
 * @param missing the ranks of which there is no file
 * @param old how many microseconds the file of each rank is older than the newest, where that is so
 *     much that the rank cannot have been asked for both
 * @param behind how many collectives each rank has called that keeps another one waiting by having
 *     called too few
 * @param disagreement the first call in which ranks disagree; null where there is none
 * @param links what each rank waits for that waits for another one
 * @param circles the ranks that wait for each other in a circle, in the order of the waits
 * @param lost the messages that were sent to a rank that waits, and have not arrived
 * @param troubled whether a rank is missing, stands still, differs or has failed
 * @param sentences all of that for a reader
 */
public record Diagnosis(
    String communicator,
    int size,
    SortedSet<Integer> missing,
    SortedMap<Integer, Long> old,
    SortedMap<Integer, Long> behind,
    @Nullable Disagreement disagreement,
    List<Link> links,
    List<List<Integer>> circles,
    List<LostMessages> lost,
    boolean troubled,
    List<String> sentences) {
  /** The ranks look for a request twice a second, so one that can answers well within this. */
  private static final long OLD_MICROS = TimeUnit.SECONDS.toMicros(2);

  /** How long a rank must have waited for others to be called behind. */
  private static final long STILL_MICROS = TimeUnit.SECONDS.toMicros(1);

  /** The ranks by what each called as collective {@code number}. */
  public record Disagreement(long number, SortedMap<String, SortedSet<Integer>> calls) {}

  /** Rank {@code from} waits for rank {@code to}. */
  public record Link(int from, int to, String transport, String what) {}

  /** Compares the files of one communicator, one of each rank. */
  static Diagnosis of(Collection<FlightLog> logs) {
    SortedSet<Integer> all = new TreeSet<>();
    for (int rank = 0; rank < logs.iterator().next().size(); rank++) {
      all.add(rank);
    }
    return of(logs, all, null);
  }

  /**
   * Compares what the processes of a communicator's ranks have answered at one time.
   *
   * @param logs at least one
   * @param asked the ranks of which there should be an answer
   * @param why returns why a rank has not answered, to follow a colon
   */
  public static Diagnosis live(
      Collection<FlightLog> logs, SortedSet<Integer> asked, IntFunction<String> why) {
    return of(logs, asked, why);
  }

  private static Diagnosis of(
      Collection<FlightLog> logs, SortedSet<Integer> asked, @Nullable IntFunction<String> why) {
    SortedMap<Integer, FlightLog> byRank = new TreeMap<>();
    logs.forEach(log -> byRank.put(log.rank(), log));
    FlightLog any = logs.iterator().next();
    SortedSet<Integer> missing = new TreeSet<>(asked);
    missing.removeAll(byRank.keySet());
    long newest = byRank.values().stream().mapToLong(FlightLog::written).max().orElse(0);
    SortedMap<Integer, Long> old = new TreeMap<>();
    List<FlightLog> current = new ArrayList<>();
    for (FlightLog log : byRank.values()) {
      // What has failed writes no more and stays as it was, and what answers is never old.
      if (why == null && log.failure() == null && newest - log.written() > OLD_MICROS) {
        old.put(log.rank(), newest - log.written());
      } else {
        current.add(log);
      }
    }
    FlightLog still = standsStill(current);
    SortedMap<Integer, Long> behind = new TreeMap<>();
    List<Link> links = new ArrayList<>();
    for (FlightLog log : current) {
      if (still != null && log.called() < still.atHand()) {
        behind.put(log.rank(), log.called());
      }
      for (FlightLog.Wait wait : log.waits()) {
        links.add(new Link(log.rank(), wait.rank(), wait.transport(), wait.what()));
      }
    }
    SortedMap<Integer, FlightLog> answering = new TreeMap<>(byRank);
    answering.keySet().removeAll(old.keySet());
    SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls = calls(byRank.values());
    Disagreement disagreement = disagreement(calls);
    boolean sameCalls = behind.isEmpty() && disagreement == null;
    boolean troubled =
        still != null
            || disagreement != null
            || !missing.isEmpty()
            || !old.isEmpty()
            || logs.stream().anyMatch(log -> log.failure() != null);
    Diagnosis facts =
        new Diagnosis(
            any.communicator(),
            any.size(),
            missing,
            old,
            behind,
            disagreement,
            List.copyOf(links),
            sameCalls ? WaitCircles.of(links) : List.of(),
            sameCalls ? LostMessages.of(answering, log -> stood(log, current)) : List.of(),
            troubled,
            List.of());
    return facts.with(new DiagnosisText(facts, byRank.values(), current, still, calls).tell(why));
  }

  private Diagnosis with(List<String> text) {
    return new Diagnosis(
        communicator,
        size,
        missing,
        old,
        behind,
        disagreement,
        links,
        circles,
        lost,
        troubled,
        text);
  }

  /** Returns whether a rank's operation at hand has lasted for a second at the oldest file. */
  private static boolean stood(FlightLog log, List<FlightLog> current) {
    return log.waited(oldest(current)) >= STILL_MICROS;
  }

  private static long oldest(List<FlightLog> current) {
    return current.stream().mapToLong(FlightLog::written).min().orElse(0);
  }

  /** Returns the rank that is furthest of those that wait and have stood still; null for none. */
  private static @Nullable FlightLog standsStill(List<FlightLog> current) {
    FlightLog found = null;
    for (FlightLog log : current) {
      if (!log.waits().isEmpty()
          && stood(log, current)
          && (found == null || found.atHand() < log.atHand())) {
        found = log;
      }
    }
    return found;
  }

  /** Returns which ranks called what, by the number of the collective. */
  private static SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls(
      Collection<FlightLog> logs) {
    SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls = new TreeMap<>();
    for (FlightLog log : logs) {
      log.calls()
          .forEach((number, call) ->
              calls
                  .computeIfAbsent(number, n -> new TreeMap<>())
                  .computeIfAbsent(call, c -> new TreeSet<>())
                  .add(log.rank()));
    }
    return calls;
  }

  private static @Nullable Disagreement disagreement(
      SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls) {
    for (Map.Entry<Long, SortedMap<String, SortedSet<Integer>>> entry : calls.entrySet()) {
      if (entry.getValue().size() > 1) {
        return new Disagreement(entry.getKey(), entry.getValue());
      }
    }
    return null;
  }
}
