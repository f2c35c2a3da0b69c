// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.Diagnosis;
import io.nitinol.cli.inspect.FlightLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One communicator at one look.
 *
 * @param rows its ranks that have answered, in their order
 * @param diagnosis what these say together
 */
record CommunicatorView(List<Row> rows, Diagnosis diagnosis) {
  /** A rank, and what it has done. */
  record Row(LiveRank rank, RankHistory.Progress progress) {}

  /** Returns the name that the application has given it; null where it has not. */
  @Nullable String name() {
    return rows.getFirst().rank.name();
  }

  /** Puts together the ranks of each communicator. */
  static List<CommunicatorView> of(
      LiveLook look, Map<LiveRank.Key, RankHistory.Progress> progress) {
    SortedMap<String, SortedMap<Integer, Row>> found = new TreeMap<>();
    for (LiveRank rank : look.ranks()) {
      RankHistory.Progress done = progress.get(rank.key());
      SortedMap<Integer, Row> ranks =
          found.computeIfAbsent(rank.log().communicator(), c -> new TreeMap<>());
      if (done != null
          && (ranks.isEmpty()
              || ranks.firstEntry().getValue().rank.log().size() == rank.log().size())) {
        ranks.put(rank.log().rank(), new Row(rank, done));
      }
    }
    List<CommunicatorView> views = new ArrayList<>();
    found.values().stream()
        .filter(ranks -> !ranks.isEmpty())
        .forEach(ranks ->
            views.add(
                new CommunicatorView(
                    List.copyOf(ranks.values()),
                    diagnose(look, ranks.values().stream().toList()))));
    return views;
  }

  private static Diagnosis diagnose(LiveLook look, List<Row> rows) {
    List<FlightLog> logs = new ArrayList<>();
    SortedSet<Integer> asked = new TreeSet<>();
    SortedMap<Integer, String> processes = new TreeMap<>();
    String communicator = rows.getFirst().rank.log().communicator();
    long now = rows.getFirst().rank.log().written(); // the hosts' clocks differ
    for (Row row : rows) {
      FlightLog log = row.rank.log();
      logs.add(log.writtenAt(now).standingSince(now - row.progress.standingMicros()));
      asked.addAll(row.rank.ofHost());
      for (FlightLog.Wait wait : log.waits()) {
        if (wait.process() != null) {
          processes.put(wait.rank(), wait.process());
        }
      }
    }
    JobMembers job = look.job();
    if (job != null) {
      asked.addAll(job.ranks(communicator));
    }
    return Diagnosis.live(
        logs,
        asked,
        rank -> {
          String known = job == null ? null : job.process(communicator, rank);
          return why(look, communicator, known == null ? processes.get(rank) : known);
        });
  }

  /** Returns why a rank has not answered. */
  private static String why(LiveLook look, String communicator, @Nullable String process) {
    LiveLook.Silent silent = look.silent(communicator, process);
    if (silent != null) {
      return silent.toString();
    }
    return look.silent().isEmpty()
        ? "its process has ended or closed the communicator, or has NITINOL_TOP=0"
        : "its process has ended or closed the communicator, or is one of those that do not answer";
  }
}
