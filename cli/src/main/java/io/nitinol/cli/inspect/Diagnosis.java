// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
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

  /** How many waits of a circle a sentence names. */
  private static final int MOST_NAMED = 16;

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
    Diagnosis found =
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
            new ArrayList<>());
    if (why == null) {
      found.explainNoFile();
    } else {
      found.explainNoAnswer(why);
    }
    found.explain(byRank.values(), current, still, calls);
    return found;
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

  private void explain(
      Collection<FlightLog> logs,
      List<FlightLog> current,
      @Nullable FlightLog still,
      SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls) {
    long least = current.stream().mapToLong(FlightLog::called).min().orElse(0);
    long most = current.stream().mapToLong(FlightLog::called).max().orElse(0);
    if (still != null) {
      explainBehind(still, most, calls);
    }
    if (disagreement != null) {
      sentences.add(
          ErrorText.of(
              "The ranks disagree in collective %d: %s.",
              disagreement.number(),
              disagreement.calls().entrySet().stream()
                  .map(entry -> ranks(entry.getValue()) + " called " + entry.getKey())
                  .collect(Collectors.joining("; "))));
    }
    for (Link link : links) {
      sentences.add(
          ErrorText.of(
              "Rank %d waits for rank %d over %s: %s.",
              link.from(), link.to(), link.transport(), link.what()));
    }
    if (behind.isEmpty() && disagreement == null) {
      explainLinks(current);
    }
    boolean failed = false;
    boolean atHand = false;
    for (FlightLog log : logs) {
      atHand |= log.since() != FlightLog.NEVER;
      if (log.failure() != null) {
        failed = true;
        sentences.add(ErrorText.of("Rank %d failed: %s", log.rank(), log.failure()));
      }
    }
    if (still == null && disagreement == null && !failed && (least < most || atHand)) {
      sentences.add(
          ErrorText.of(
              "The ranks have called %s collective(s), and none has waited for a second: the job"
                  + " may be running; look again.",
              least == most ? String.valueOf(most) : least + " to " + most));
    } else if (sentences.isEmpty()) {
      sentences.add(ErrorText.of("All %d ranks have done the same %d collective(s).", size, most));
    }
  }

  /** Returns which ranks wait for each that is waited for. */
  private Map<Integer, SortedSet<Integer>> waiting() {
    Map<Integer, SortedSet<Integer>> waiting = new HashMap<>();
    for (Link link : links) {
      waiting.computeIfAbsent(link.to(), to -> new TreeSet<>()).add(link.from());
    }
    return waiting;
  }

  /** Ranks that have not answered for one reason, and those that wait for them. */
  private record Silence(SortedSet<Integer> others, String why) {}

  /** Names the ranks that have not answered, and why. */
  private void explainNoAnswer(IntFunction<String> why) {
    Map<Integer, SortedSet<Integer>> waiting = waiting();
    Map<Silence, SortedSet<Integer>> alike = new LinkedHashMap<>();
    for (int rank : missing) {
      Silence silence =
          new Silence(waiting.getOrDefault(rank, Collections.emptySortedSet()), why.apply(rank));
      alike.computeIfAbsent(silence, s -> new TreeSet<>()).add(rank);
    }
    alike.forEach((silence, silent) -> {
      SortedSet<Integer> others = silence.others();
      boolean one = silent.size() == 1;
      sentences.add(
          ErrorText.of(
              "%s not answer%s: %s.",
              capital(ranks(silent)) + (one ? " does" : " do"),
              others.isEmpty()
                  ? ""
                  : ErrorText.of(
                      ", and %s %s for %s",
                      ranks(others), others.size() == 1 ? "waits" : "wait", one ? "it" : "them"),
              silence.why()));
    });
  }

  /** Names the ranks of which there is no file, or an old one. */
  private void explainNoFile() {
    Map<Integer, SortedSet<Integer>> waiting = waiting();
    Map<SortedSet<Integer>, SortedSet<Integer>> alike = new LinkedHashMap<>();
    for (int rank : missing) {
      SortedSet<Integer> others = waiting.getOrDefault(rank, Collections.emptySortedSet());
      alike.computeIfAbsent(others, o -> new TreeSet<>()).add(rank);
    }
    alike.forEach((others, silent) -> {
      boolean one = silent.size() == 1;
      sentences.add(
          ErrorText.of(
              "%s: %s missing%s.",
              capital(ranks(silent)),
              one ? "its file is" : "their files are",
              others.isEmpty()
                  ? ""
                  : ErrorText.of(
                      ", and %s %s for %s: %s stopped, dead or cut off",
                      ranks(others),
                      others.size() == 1 ? "waits" : "wait",
                      one ? "it" : "them",
                      one ? "its process is" : "their processes are")));
    });
    old.forEach((rank, micros) ->
        sentences.add(
            ErrorText.of(
                "Rank %d: its file is %s older than the newest: its process is stopped, dead or cut"
                    + " off, or has closed the communicator.",
                rank, seconds(micros))));
  }

  private void explainBehind(
      FlightLog still, long most, SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls) {
    SortedMap<Long, SortedSet<Integer>> alike = new TreeMap<>();
    behind.forEach((rank, called) -> alike.computeIfAbsent(called, c -> new TreeSet<>()).add(rank));
    alike.forEach((called, late) -> {
      SortedMap<String, SortedSet<Integer>> next = calls.get(called + 1);
      boolean one = late.size() == 1;
      sentences.add(
          ErrorText.of(
              "%s behind: %s called %d collective(s), another rank %d; %s not called collective"
                  + " %d, %s; rank %d has waited for %s.",
              capital(ranks(late)) + (one ? " is" : " are"),
              one ? "it has" : "they have",
              called,
              most,
              one ? "it has" : "they have",
              called + 1,
              next == null ? "which no rank has kept" : next.firstKey(),
              still.rank(),
              seconds(still.waited(still.written()))));
    });
  }

  /** Names the links whose two ends wait for each other in the same call, and the circles. */
  private void explainLinks(List<FlightLog> current) {
    Map<Integer, Long> atHand = new HashMap<>();
    Set<Integer> inBatch = new HashSet<>();
    for (FlightLog log : current) {
      atHand.put(log.rank(), log.atHand());
      if (log.inBatch()) {
        inBatch.add(log.rank());
      }
    }
    Set<List<Integer>> waits = new HashSet<>();
    links.forEach(link -> waits.add(List.of(link.from(), link.to())));
    for (Link link : links) {
      // Removed, so that two waits between the same ranks are told once.
      if (link.from() < link.to()
          && Objects.equals(atHand.get(link.from()), atHand.get(link.to()))
          && waits.remove(List.of(link.to(), link.from()))) {
        sentences.add(
            ErrorText.of(
                "Ranks %d and %d have made the same calls and wait for each other: what is sent"
                    + " between them over %s does not arrive, or is still under way%s.",
                link.from(),
                link.to(),
                link.transport(),
                inBatch.containsAll(List.of(link.from(), link.to()))
                    ? ", or each sends before it comes to receive"
                    : ""));
      }
    }
    for (LostMessages each : lost) {
      sentences.add(
          ErrorText.of(
              "Rank %d has sent %d message(s) to rank %d over %s, %s, and %d have arrived: the link"
                  + " from rank %d to rank %d loses what it is given, or that is still under way.",
              each.from(),
              each.sent(),
              each.to(),
              each.transport(),
              each.connection(),
              each.arrived(),
              each.from(),
              each.to()));
    }
    for (List<Integer> circle : circles) {
      if (lost.stream().anyMatch(each -> follows(circle, each.to(), each.from()))) {
        continue; // that link is why
      }
      List<String> named = new ArrayList<>();
      for (int i = 0; i < circle.size() && i < MOST_NAMED; i++) {
        named.add(circle.get(i) + " for " + circle.get((i + 1) % circle.size()));
      }
      if (circle.size() > MOST_NAMED) {
        named.add("and so on");
      }
      sentences.add(
          ErrorText.of(
              "%s wait for each other in a circle, %s: what is sent between them does not arrive or"
                  + " is still under way, or their sends and receives are in an order in which each"
                  + " waits for the next.",
              capital(ranks(new TreeSet<>(circle))), String.join(", ", named)));
    }
  }

  /** Returns whether {@code waiting} waits for {@code other} in a circle. */
  private static boolean follows(List<Integer> circle, int waiting, int other) {
    int at = circle.indexOf(waiting);
    return at >= 0 && circle.get((at + 1) % circle.size()) == other;
  }

  private static String seconds(long micros) {
    return ErrorText.of("%.1f s", micros / (double) TimeUnit.SECONDS.toMicros(1));
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  /** Returns ranks for a sentence: rank 3; ranks 0, 1; ranks 0, 4-9. */
  private static String ranks(SortedSet<Integer> ranks) {
    List<String> runs = new ArrayList<>();
    List<Integer> all = List.copyOf(ranks);
    int begin = 0;
    for (int i = 1; i <= all.size(); i++) {
      if (i == all.size() || all.get(i) != all.get(i - 1) + 1) {
        int first = all.get(begin);
        int last = all.get(i - 1);
        runs.add(
            first == last
                ? String.valueOf(first)
                : first + (first + 1 == last ? ", " : "-") + last);
        begin = i;
      }
    }
    return (all.size() == 1 ? "rank " : "ranks ") + String.join(", ", runs);
  }
}
