// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.bootstrap.NoticeMark;
import io.nitinol.toolkit.ErrorText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A launcher's report on a job that failed: each message once, with the ranks that gave it, and one
 * sentence on a rank that died without a message.
 */
final class RankFailureReport {
  /** Shorter messages are repeated. */
  private static final int LEAST_QUOTED = 40;

  private final String noun;
  private final List<Rank> failed;
  private final int size;
  private final List<Integer> killed;
  private final List<Integer> starting;
  private final Duration grace;

  /**
   * A rank that failed.
   *
   * @param status what is believed of its exit status
   * @param record what it said itself, or null
   * @param died whether it was killed, or ended without a report that it should have made
   * @param how how it ended, behind "rank 1 (pid 2) "
   */
  record Rank(
      int rank, long pid, int status, @Nullable FailureRecord record, boolean died, String how) {}

  /**
   * @param failed the ranks that ended with a status other than 0, in the order in which they did
   * @param share the ranks that were started
   * @param killed the ranks that were still running at the end of the time of grace
   */
  RankFailureReport(
      List<LaunchedProcess> failed,
      Launcher.Share share,
      List<LaunchedProcess> killed,
      Duration grace) {
    this(
        share.noun(),
        failed.stream()
            .map(r ->
                new Rank(
                    r.rank(), r.process().pid(), r.status(), r.failure(), r.hasDied(), r.how()))
            .toList(),
        killed.stream().filter(r -> !r.isStarting()).map(LaunchedProcess::rank).toList(),
        killed.stream().filter(LaunchedProcess::isStarting).map(LaunchedProcess::rank).toList(),
        share.count(),
        grace);
  }

  /**
   * @param starting as {@code killed}, and they had not met the others by then
   */
  RankFailureReport(
      List<Rank> failed, List<Integer> killed, List<Integer> starting, int size, Duration grace) {
    this("rank", failed, killed, starting, size, grace);
  }

  /**
   * @param noun what the numbers of ranks are of: ranks, or processes of several ranks
   */
  RankFailureReport(
      String noun,
      List<Rank> failed,
      List<Integer> killed,
      List<Integer> starting,
      int size,
      Duration grace) {
    this.noun = noun;
    this.failed = failed;
    this.killed = killed;
    this.starting = starting;
    this.size = size;
    this.grace = grace;
  }

  /** Returns the exit status that the launcher ends with: that of the rank that is to blame. */
  int status() {
    Rank culprit = culprit();
    return culprit.died() ? ExitStatus.RANK_DIED : culprit.status();
  }

  /** A rank that died is to blame first, then one that does not blame another, then the first. */
  private Rank culprit() {
    for (Rank rank : failed) {
      if (rank.died()) {
        return rank;
      }
    }
    for (Rank rank : failed) {
      if (rank.status() != ExitStatus.RANK_DIED) {
        return rank;
      }
    }
    return failed.get(0);
  }

  /** Returns the sentences to print. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    // Ranks that blame the same rank differ in details only.
    Map<Object, List<Rank>> same = new LinkedHashMap<>();
    for (Rank rank : failed) {
      FailureRecord record = rank.record();
      if (record != null) {
        boolean blames = record.failedRank() >= 0 && record.failedRank() != rank.rank();
        Object key = blames ? record.failedRank() : record.message();
        same.computeIfAbsent(key, _ -> new ArrayList<>()).add(rank);
      }
    }
    Set<String> said = new LinkedHashSet<>();
    same.values().stream()
        .sorted(Comparator.comparing(group -> quotes(group, same.values())))
        .forEach(group -> {
          String sentence = sentence(group);
          for (String before : said) {
            if (before.length() < LEAST_QUOTED) {
              continue; // a word or two, which may be there by chance
            }
            sentence = sentence.replace(before, "as above");
          }
          lines.add(sentence);
          said.add(message(group));
        });
    Rank culprit = culprit();
    boolean inTable = culprit.status() == ExitStatus.WRONG_RESULT && !culprit.died();
    if (culprit.record() == null && !inTable) {
      lines.add(
          ErrorText.of("%s %d (pid %d) %s", noun, culprit.rank(), culprit.pid(), culprit.how()));
    }
    if (!killed.isEmpty()) {
      lines.add(
          ErrorText.of(
              "%s did not notice within %s s and %s killed",
              ranks(new TreeSet<>(killed)),
              grace.toSeconds(),
              killed.size() == 1 ? "was" : "were"));
    }
    if (!starting.isEmpty()) {
      String verb = starting.size() == 1 ? "was" : "were";
      lines.add(
          ErrorText.of(
              "%s %s still starting %d s later and %s killed",
              ranks(new TreeSet<>(starting)), verb, grace.toSeconds(), verb));
    }
    return lines;
  }

  /** Returns whether the group's message holds that of another one, which is said first then. */
  private static boolean quotes(List<Rank> group, Collection<List<Rank>> all) {
    return all.stream()
        .anyMatch(other ->
            !message(other).equals(message(group))
                && message(other).length() >= LEAST_QUOTED
                && message(group).contains(message(other)));
  }

  private static String message(List<Rank> group) {
    return NoticeMark.remove(Objects.requireNonNull(group.getFirst().record()).message());
  }

  private String sentence(List<Rank> group) {
    Set<Integer> ranks = new TreeSet<>();
    group.forEach(rank -> ranks.add(rank.rank()));
    return ranks.size() == size ? message(group) : ranks(ranks) + ": " + message(group);
  }

  private String ranks(Set<Integer> ranks) {
    String list = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String several = noun.equals("rank") ? "ranks " : "processes ";
    return (ranks.size() == 1 ? noun + " " : several) + list;
  }
}
