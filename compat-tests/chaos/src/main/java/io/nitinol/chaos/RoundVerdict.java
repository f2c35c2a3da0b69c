// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.chaos.WorkerProcess.Line;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What the workers of a round reported, against what its fault permits. */
final class RoundVerdict {
  /** Seconds within which a fault is reported on every rank that is left. */
  static final int LIMIT = 10;

  /** The same of a fault that only silence tells. */
  static final int SILENT_LIMIT = 30;

  private final RoundPlan plan;
  private final long happened;
  private final ChaosPace pace;
  private final List<String> violations = new ArrayList<>();
  private final Set<Integer> named = new HashSet<>();
  private long longest;
  private int right;
  private int failed;

  /**
   * Judges.
   *
   * @param lines what each rank reported
   * @param happened when the fault came, by {@link System#nanoTime}
   * @param pace of the machine
   */
  RoundVerdict(RoundPlan plan, List<List<Line>> lines, long happened, ChaosPace pace) {
    this.plan = plan;
    this.happened = happened;
    this.pace = pace;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      judge(rank, lines.get(rank));
    }
    if (right > 0 && failed > 0) {
      violations.add(right + " ranks are right and " + failed + " have failed");
    }
    // Where there is a victim, each rank's name was held against it. Two hosts that nothing
    // connects
    // any more cannot agree, and of several ranks that lack memory each may name itself.
    if (named.size() > 1 && plan.outcome() == Fault.Outcome.FAILED) {
      violations.add("the ranks name different ones: " + named);
    }
  }

  /** Seconds in which {@code plan}'s fault must be reported on a machine of this pace. */
  static int limit(RoundPlan plan, ChaosPace pace) {
    return pace.seconds(usualLimit(plan));
  }

  private static int usualLimit(RoundPlan plan) {
    // A rank that has not reached the root yet, or cannot for want of descriptors, is a silent one.
    // So is one behind a bad link, where ranks bear a silence of PATIENCE. The time of a lack of
    // shared memory begins when the ranks are told to meet, and is short all the same.
    boolean isSilent =
        plan.fault().isSilent()
            || plan.early()
            || plan.fault() == Fault.DESCRIPTORS
            || plan.carrier() == RoundCarrier.BAD_LINK;
    return isSilent ? SILENT_LIMIT : LIMIT;
  }

  private void judge(int rank, List<Line> lines) {
    for (Line line : lines) {
      switch (line.report()) {
        case WRONG, BROKEN -> violation(rank, line.report() + " " + line.text());
        case LEFT -> {
          if (!line.text().equals("[]")) {
            violation(rank, "has left behind " + line.text());
          }
        }
        case RIGHT -> right++;
        default -> {}
      }
    }
    boolean isVictim = rank == plan.victim();
    if (isVictim && plan.fault() == Fault.KILL) {
      return;
    }
    if (!has(lines, Report.DONE)) {
      violation(rank, "has not ended its round");
    }
    switch (plan.outcome()) {
      case RIGHT -> {
        if (!has(lines, Report.RIGHT)) {
          violation(rank, "has no right results: " + lines);
        }
      }
      case RIGHT_OR_FAILED -> {
        if (!has(lines, Report.RIGHT)) {
          failed(rank, lines);
        }
      }
      case FAILED, OTHER_HOST_NAMED -> failed(rank, lines);
      case VICTIM_NAMED -> {
        if (!isVictim) {
          failed(rank, lines);
          if (!plan.early() && !hasText(lines, Report.SHRUNK, plan.ranks() - 1 + "")) {
            violation(rank, "has not gone on with the other survivors: " + lines);
          }
        } else if (plan.fault() == Fault.PLUGIN
            && lines.stream().noneMatch(line -> line.text().contains(FaultyNet.MESSAGE))) {
          violation(rank, "does not report what its plugin reported: " + lines);
        }
      }
    }
  }

  private void failed(int rank, List<Line> lines) {
    Line line =
        lines.stream().filter(each -> each.report() == Report.FAILED).findFirst().orElse(null);
    if (line == null) {
      violation(rank, "has not failed: " + lines);
      return;
    }
    failed++;
    long took = line.nanos() - happened;
    longest = Math.max(longest, took);
    if (took > TimeUnit.SECONDS.toNanos(limit(plan, pace))) {
      violation(rank, "failed after %.1f s only: %s".formatted(took / 1e9, line.text()));
    }
    int who = Integer.parseInt(line.text().substring(0, line.text().indexOf(' ')));
    named.add(who);
    boolean right =
        switch (plan.outcome()) {
          case VICTIM_NAMED -> who == plan.victim() || (plan.early() && who < 0);
          case OTHER_HOST_NAMED -> who >= 0 && plan.isNear(who) != plan.isNear(rank);
          // Any rank may find that memory is short, but only the victim lacks descriptors. It may
          // be unable to say so, so that none is blamed.
          case RIGHT_OR_FAILED ->
              plan.fault() == Fault.MEMORY
                  ? line.text().contains("shared memory")
                  : who < 0 || who == plan.victim();
          default -> line.text().length() > 20;
        };
    if (!right) {
      violation(
          rank,
          (plan.fault() == Fault.MEMORY ? "does not tell what is short: " : "names another: ")
              + line.text());
    }
  }

  private void violation(int rank, String what) {
    violations.add("rank " + rank + " " + what);
  }

  private static boolean has(List<Line> lines, Report report) {
    return lines.stream().anyMatch(line -> line.report() == report);
  }

  private static boolean hasText(List<Line> lines, Report report, String text) {
    return lines.stream().anyMatch(line -> line.report() == report && line.text().equals(text));
  }

  /** Returns what must not be; empty where all is as it should. */
  List<String> violations() {
    return violations;
  }

  /** Returns how long after the fault the last rank reported its failure. */
  long longestNanos() {
    return longest;
  }

  int right() {
    return right;
  }

  int failed() {
    return failed;
  }
}
