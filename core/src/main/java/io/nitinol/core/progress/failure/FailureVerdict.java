// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.failure;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one failure out of the reports of all ranks; the same on all ranks that have the same
 * reports.
 */
final class FailureVerdict {
  private FailureVerdict() {}

  /**
   * Decides. Ranks that called different operations are the cause of everything else. If there are
   * none, it is the lowest rank that blames itself, since it knows. Else the rank to blame is found
   * by going from the lowest rank that reports anything to the rank that it blames, and on, until a
   * rank reports nothing. In a circle no rank is to blame, unless some of it see only how
   * connections end and one knows why: a rank that finds wrong data closes the connection, and the
   * rank at the other end sees just that. Where the way ends at a rank that waits for no rank in
   * particular, the next lowest may know more.
   *
   * @param reports by reporter, at least one
   */
  static CommException of(SortedMap<Integer, FailureReport> reports) {
    for (FailureReport report : reports.values()) {
      if (report.blames() < 0
          && report.result() != ResultCode.TIMEOUT
          && report.result() != ResultCode.REMOTE_ERROR) {
        return new CommException(report.result(), report.message());
      }
    }
    CommException different = different(reports);
    if (different != null) {
      return different;
    }
    for (FailureReport report : reports.values()) {
      if (report.blames() == report.reporter()) {
        return new CommException(report.result(), report.blames(), report.message(), null);
      }
    }
    FailureReport lost = networkLost(reports);
    FailureReport nameless = lost == null ? reports.values().iterator().next() : lost;
    for (FailureReport report : reports.values()) {
      CommException found = follow(report, reports);
      if (found != null && (lost == null || found.result() != ResultCode.TIMEOUT)) {
        return found;
      }
      nameless = nameless.blames() < 0 ? nameless : report;
    }
    return new CommException(nameless.result(), nameless.message());
  }

  /**
   * Returns the first report of a collective network that is lost, or null. It explains all waits;
   * but its reporter cannot name the rank that has left the network, unless it has been told.
   */
  private static @Nullable FailureReport networkLost(SortedMap<Integer, FailureReport> reports) {
    for (FailureReport report : reports.values()) {
      if (report.blames() < 0 && report.result() == ResultCode.REMOTE_ERROR) {
        return report;
      }
    }
    return null;
  }

  /**
   * Returns whether {@code verdict}, on {@code reports}, blames a rank for no more than that it
   * reports nothing.
   */
  static boolean isForSilence(CommException verdict, SortedMap<Integer, FailureReport> reports) {
    int blamed = verdict.failedRank();
    return verdict.result() == ResultCode.TIMEOUT
        && blamed >= 0
        && reports.values().stream().noneMatch(each -> !each.isWait() && each.blames() == blamed);
  }

  /** Goes from a report to the rank to blame; null where it comes to one that blames no rank. */
  private static @Nullable CommException follow(
      FailureReport first, SortedMap<Integer, FailureReport> reports) {
    FailureReport last = first;
    Set<Integer> way = new LinkedHashSet<>();
    while (way.add(last.reporter())) {
      if (last.blames() < 0) {
        return null;
      }
      FailureReport next = reports.get(last.blames());
      if (next == null) {
        return new CommException(last.result(), last.blames(), text(last), null);
      }
      last = next;
    }
    CommException known = cause(way, reports);
    if (known != null) {
      return known;
    }
    String circle =
        "; ranks " + way + " name one another in this order, so no single one is to blame";
    return new CommException(first.result(), -1, first.message() + circle, null);
  }

  /** Returns what the lowest rank of a circle reports that knows more than others of it. */
  private static @Nullable CommException cause(
      Set<Integer> circle, SortedMap<Integer, FailureReport> reports) {
    FailureReport knows = null;
    boolean ended = false;
    for (FailureReport each : reports.values()) {
      if (circle.contains(each.reporter()) && !each.isWait()) {
        ended |= each.ended();
        knows = knows == null && !each.ended() ? each : knows;
      }
    }
    return ended && knows != null
        ? new CommException(knows.result(), knows.blames(), knows.message(), null)
        : null;
  }

  /**
   * Compares what the waiting ranks have called under the same number. Calls that differ in size
   * may be done by different algorithms; their messages never meet then, and the ranks only wait.
   */
  private static @Nullable CommException different(SortedMap<Integer, FailureReport> reports) {
    for (FailureReport one : reports.values()) {
      for (FailureReport other : reports.tailMap(one.reporter() + 1).values()) {
        String call = one.call();
        String theirs = other.call();
        if (call != null
            && theirs != null
            && number(call).equals(number(theirs))
            && !call.equals(theirs)) {
          return new CommException(
              ResultCode.INVALID_USAGE,
              ErrorText.of(
                  "ranks %s and %s called different operations: rank %s is in %s; rank %s is in %s",
                  one.reporter(),
                  other.reporter(),
                  one.reporter(),
                  call,
                  other.reporter(),
                  theirs));
        }
      }
    }
    return null;
  }

  /** Returns the part of a call's description that says which one it is. */
  private static String number(String call) {
    int comma = call.indexOf(',');
    return comma < 0 ? call : call.substring(0, comma);
  }

  private static String text(FailureReport last) {
    return !last.isWait()
        ? last.message()
        : ErrorText.of(
            "%s; rank %d has not said that it waits for anybody: has it called this operation,"
                + " does its process run, and is its host still reached?",
            last.message(), last.blames());
  }
}
