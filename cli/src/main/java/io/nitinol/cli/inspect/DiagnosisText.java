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

/** Tells a {@link Diagnosis} in sentences. */
final class DiagnosisText {
  /** How many waits of a circle a sentence names. */
  private static final int MOST_NAMED = 16;

  private final Diagnosis found;
  private final Collection<FlightLog> logs;
  private final List<FlightLog> current;
  private final @Nullable FlightLog still;
  private final SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls;
  private final List<String> sentences = new ArrayList<>();

  /**
   * Begins a text.
   *
   * @param found what was found out, without sentences
   * @param logs of all ranks that have one
   * @param current those that are of one time
   * @param still the furthest rank that waits and has stood still; null for none
   * @param calls which ranks called what, by the number of the collective
   */
  DiagnosisText(
      Diagnosis found,
      Collection<FlightLog> logs,
      List<FlightLog> current,
      @Nullable FlightLog still,
      SortedMap<Long, SortedMap<String, SortedSet<Integer>>> calls) {
    this.found = found;
    this.logs = logs;
    this.current = current;
    this.still = still;
    this.calls = calls;
  }

  /**
   * Returns the sentences.
   *
   * @param why returns why a rank has not answered, to follow a colon; null where ranks have left
   *     files
   */
  List<String> tell(@Nullable IntFunction<String> why) {
    if (why == null) {
      explainNoFile();
    } else {
      explainNoAnswer(why);
    }
    explain();
    return List.copyOf(sentences);
  }

  private void explain() {
    long least = current.stream().mapToLong(FlightLog::called).min().orElse(0);
    long most = current.stream().mapToLong(FlightLog::called).max().orElse(0);
    if (still != null) {
      explainBehind(still, most);
    }
    Diagnosis.Disagreement differing = found.disagreement();
    if (differing != null) {
      sentences.add(
          ErrorText.of(
              "The ranks disagree in collective %d: %s.",
              differing.number(),
              differing.calls().entrySet().stream()
                  .map(entry -> ranks(entry.getValue()) + " called " + entry.getKey())
                  .collect(Collectors.joining("; "))));
    }
    for (Diagnosis.Link link : found.links()) {
      sentences.add(
          ErrorText.of(
              "Rank %d waits for rank %d over %s: %s.",
              link.from(), link.to(), link.transport(), link.what()));
    }
    if (found.behind().isEmpty() && differing == null) {
      explainLinks();
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
    if (still == null && differing == null && !failed && (least < most || atHand)) {
      sentences.add(
          ErrorText.of(
              "The ranks have called %s collective(s), and none has waited for a second: the job"
                  + " may be running; look again.",
              least == most ? String.valueOf(most) : least + " to " + most));
    } else if (sentences.isEmpty()) {
      sentences.add(
          ErrorText.of("All %d ranks have done the same %d collective(s).", found.size(), most));
    }
  }

  /** Returns which ranks wait for each that is waited for. */
  private Map<Integer, SortedSet<Integer>> waiting() {
    Map<Integer, SortedSet<Integer>> waiting = new HashMap<>();
    for (Diagnosis.Link link : found.links()) {
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
    for (int rank : found.missing()) {
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
    for (int rank : found.missing()) {
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
    found
        .old()
        .forEach((rank, micros) ->
            sentences.add(
                ErrorText.of(
                    "Rank %d: its file is %s older than the newest: its process is stopped, dead or cut"
                        + " off, or has closed the communicator.",
                    rank, seconds(micros))));
  }

  private void explainBehind(FlightLog waiting, long most) {
    SortedMap<Long, SortedSet<Integer>> alike = new TreeMap<>();
    found
        .behind()
        .forEach((rank, called) -> alike.computeIfAbsent(called, c -> new TreeSet<>()).add(rank));
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
              waiting.rank(),
              seconds(waiting.waited(waiting.written()))));
    });
  }

  /** Names the links whose two ends wait for each other in the same call, and the circles. */
  private void explainLinks() {
    Map<Integer, Long> atHand = new HashMap<>();
    Set<Integer> inBatch = new HashSet<>();
    for (FlightLog log : current) {
      atHand.put(log.rank(), log.atHand());
      if (log.inBatch()) {
        inBatch.add(log.rank());
      }
    }
    Set<List<Integer>> waits = new HashSet<>();
    found.links().forEach(link -> waits.add(List.of(link.from(), link.to())));
    for (Diagnosis.Link link : found.links()) {
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
    for (LostMessages each : found.lost()) {
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
    for (List<Integer> circle : found.circles()) {
      if (found.lost().stream().anyMatch(each -> follows(circle, each.to(), each.from()))) {
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
