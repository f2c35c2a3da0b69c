// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the flight recorders of one communicator's ranks say together, after PyTorch's analyzer of
 * such files and NCCL's RAS.
 *
 * @param communicator which one
 * @param size how many ranks it has
 * @param missing the ranks of which there is no file
 * @param behind how many collectives each rank has called that has called fewer than another one
 * @param disagreement the first call in which ranks disagree; null where there is none
 * @param links what each rank waits for that waits for another one
 * @param sentences all of that for a reader
 */
record Diagnosis(
    String communicator,
    int size,
    TreeSet<Integer> missing,
    TreeMap<Integer, Long> behind,
    @Nullable Disagreement disagreement,
    List<Link> links,
    List<String> sentences) {

  /** The ranks by what each called as collective {@code number}. */
  record Disagreement(long number, TreeMap<String, TreeSet<Integer>> calls) {}

  /** Rank {@code from} waits for rank {@code to}. */
  record Link(int from, int to, String transport, String what) {}

  /** Compares the files of one communicator, one of each rank. */
  static Diagnosis of(Collection<FlightLog> logs) {
    TreeMap<Integer, FlightLog> byRank = new TreeMap<>();
    logs.forEach(log -> byRank.put(log.rank(), log));
    FlightLog any = byRank.firstEntry().getValue();
    TreeSet<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < any.size(); rank++) {
      if (!byRank.containsKey(rank)) {
        missing.add(rank);
      }
    }
    long most = byRank.values().stream().mapToLong(FlightLog::called).max().orElse(0);
    TreeMap<Integer, Long> behind = new TreeMap<>();
    List<Link> links = new ArrayList<>();
    for (FlightLog log : byRank.values()) {
      if (log.called() < most) {
        behind.put(log.rank(), log.called());
      }
      for (FlightLog.Wait wait : log.waits()) {
        links.add(new Link(log.rank(), wait.rank(), wait.transport(), wait.what()));
      }
    }
    Diagnosis found =
        new Diagnosis(
            any.communicator(),
            any.size(),
            missing,
            behind,
            disagreement(byRank),
            List.copyOf(links),
            new ArrayList<>());
    found.explain(byRank, most);
    return found;
  }

  private static @Nullable Disagreement disagreement(Map<Integer, FlightLog> byRank) {
    TreeMap<Long, TreeMap<String, TreeSet<Integer>>> calls = new TreeMap<>();
    for (FlightLog log : byRank.values()) {
      log.calls()
          .forEach((number, call) ->
              calls
                  .computeIfAbsent(number, n -> new TreeMap<>())
                  .computeIfAbsent(call, c -> new TreeSet<>())
                  .add(log.rank()));
    }
    for (Map.Entry<Long, TreeMap<String, TreeSet<Integer>>> entry : calls.entrySet()) {
      if (entry.getValue().size() > 1) {
        return new Disagreement(entry.getKey(), entry.getValue());
      }
    }
    return null;
  }

  private void explain(TreeMap<Integer, FlightLog> byRank, long most) {
    for (int rank : missing) {
      TreeSet<Integer> waiting = waitingFor(rank);
      sentences.add(
          ErrorText.of(
              "Rank %d: its file is missing%s.",
              rank,
              waiting.isEmpty()
                  ? ""
                  : ErrorText.of(
                      ", and %s waits for it: its process is stopped, dead or cut off",
                      ranks(waiting))));
    }
    behind.forEach((rank, called) ->
        sentences.add(
            ErrorText.of(
                "Rank %d is behind: it has called %d collective(s), another rank %d; it has"
                    + " not called collective %d, %s.",
                rank, called, most, called + 1, call(byRank, called + 1))));
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
      explainLinks();
    }
    for (FlightLog log : byRank.values()) {
      if (log.failure() != null) {
        sentences.add(ErrorText.of("Rank %d failed: %s", log.rank(), log.failure()));
      }
    }
    if (sentences.isEmpty()) {
      sentences.add(ErrorText.of("All %d ranks have done the same %d collective(s).", size, most));
    }
  }

  /** Names the links whose two ends wait for each other in the same call. */
  private void explainLinks() {
    for (Link link : links) {
      boolean mutual =
          link.from() < link.to()
              && links.stream().anyMatch(l -> l.from() == link.to() && l.to() == link.from());
      if (mutual) {
        sentences.add(
            ErrorText.of(
                "Ranks %d and %d have made the same calls and wait for each other: what is sent"
                    + " between them over %s does not arrive, or is still under way.",
                link.from(), link.to(), link.transport()));
      }
    }
  }

  private TreeSet<Integer> waitingFor(int rank) {
    return links.stream()
        .filter(link -> link.to() == rank)
        .map(Link::from)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String call(Map<Integer, FlightLog> byRank, long number) {
    return byRank.values().stream()
        .map(log -> log.calls().get(number))
        .filter(call -> call != null)
        .findFirst()
        .orElse("which no file contains any more");
  }

  private static String ranks(TreeSet<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
