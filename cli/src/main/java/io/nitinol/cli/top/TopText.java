// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import io.nitinol.cli.inspect.FlightLog;
import io.nitinol.cli.inspect.TextTable;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A look for a reader, in lines; with colours on a terminal. */
final class TopText {
  private static final String BOLD = "\033[1m";
  private static final String RED = "\033[31m";
  private static final String PLAIN = "\033[0m";
  private static final double GIGA = 1e9;
  private static final double MICROS = TimeUnit.SECONDS.toMicros(1);
  private static final int FEW = 100;

  private final boolean coloured;

  TopText(boolean coloured) {
    this.coloured = coloured;
  }

  /**
   * Returns the lines of a look.
   *
   * @param title what the first line begins with
   */
  List<String> lines(String title, LiveLook look, List<CommunicatorView> views) {
    List<String> lines = new ArrayList<>();
    lines.add(
        colour(
            BOLD,
            ErrorText.of(
                "%s: %d communicator(s) in %d process(es)%s",
                title, views.size(), look.processes(), hosts(look))));
    look.problems().forEach(problem -> lines.add(colour(RED, problem)));
    look.silent().values().forEach(silent -> lines.add(colour(RED, capital(silent + "."))));
    for (CommunicatorView view : views) {
      lines.add("");
      lines.add(
          ErrorText.of(
              "Communicator %s%s of %d ranks",
              view.diagnosis().communicator(),
              view.name() == null ? "" : " (" + view.name() + ")",
              view.diagnosis().size()));
      table(view).forEach(line -> lines.add("  " + line));
      if (view.diagnosis().troubled()) {
        view.diagnosis().sentences().forEach(said -> lines.add("  " + colour(RED, said)));
      }
    }
    return lines;
  }

  private static String hosts(LiveLook look) {
    return look.job() == null
        ? ""
        : ErrorText.of(
            " on %d host(s)", look.ranks().stream().map(LiveRank::host).distinct().count());
  }

  private static List<String> table(CommunicatorView view) {
    TextTable table =
        new TextTable(
            "RANK", "HOST", "PID", "DONE", "OPS/S", "GB/S", "UNDER WAY", "FOR", "WAITS FOR");
    for (CommunicatorView.Row row : view.rows()) {
      LiveRank rank = row.rank();
      RankHistory.Progress progress = row.progress();
      String doing = rank.log().doing();
      table.row(
          String.valueOf(rank.log().rank()),
          rank.host(),
          String.valueOf(rank.pid()),
          String.valueOf(rank.done()),
          progress.hasRates() ? rate(progress.operationsPerSecond()) : "-",
          progress.hasRates() ? ErrorText.of("%.3f", progress.bytesPerSecond() / GIGA) : "-",
          rank.log().failure() != null ? "failed" : doing == null ? "-" : doing,
          doing == null ? "-" : ErrorText.of("%.1f s", progress.underWayMicros() / MICROS),
          rank.log().waits().isEmpty() ? "-" : waits(rank.log().waits()));
    }
    return table.lines();
  }

  private static String rate(double each) {
    return ErrorText.of(each < FEW ? "%.1f" : "%.0f", each);
  }

  private static String waits(List<FlightLog.Wait> waits) {
    return waits.stream()
        .map(wait -> "rank " + wait.rank() + " over " + wait.transport())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private String colour(String code, String text) {
    return coloured ? code + text + PLAIN : text;
  }
}
