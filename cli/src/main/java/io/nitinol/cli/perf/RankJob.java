// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.core.Communicator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rank's work from the first meeting to the exit status; rank 0 also reports, or all do. */
final class RankJob {
  private final PerfPlan plan;
  private final PerfReport report;
  private final PrintWriter err;
  private final boolean allReport;

  /**
   * Creates a job.
   *
   * @param err where each rank tells what is wrong on it
   */
  RankJob(PerfPlan plan, PerfReport report, PrintWriter err) {
    this(plan, report, err, false);
  }

  /**
   * Creates a job.
   *
   * @param allReport whether each rank reports, since users look at each
   */
  RankJob(PerfPlan plan, PerfReport report, PrintWriter err, boolean allReport) {
    this.plan = plan;
    this.report = report;
    this.err = err;
    this.allReport = allReport;
  }

  /**
   * Runs a rank of a communicator; a rank that cannot go on tells the others.
   *
   * @param localRank the number of the rank on its host; -1 where it is not known
   */
  int run(Communicator communicator, RankSessions sessions, int localRank) {
    PerfSession session;
    try {
      session = sessions.open(communicator, localRank);
    } catch (RuntimeException | Error e) {
      communicator.abort();
      throw e;
    }
    int status;
    try {
      status = run(session);
    } catch (RuntimeException | Error e) {
      giveUp(session, e);
      throw e;
    }
    session.close();
    return status;
  }

  private static void giveUp(PerfSession session, Throwable failure) {
    try {
      session.abort();
      session.close();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the exit status; the same on every rank. */
  int run(PerfSession session) {
    List<RankInfo> ranks = new ArrayList<>();
    RankInfo mine =
        new RankInfo(session.rank(), ProcessHandle.current().pid(), hostName(), session.device());
    for (byte[] theirs : session.exchange(mine.encode())) {
      ranks.add(RankInfo.decode(theirs));
    }
    boolean reports = allReport || session.rank() == 0;
    if (reports) {
      report.begin(session.network(), ranks);
    }
    Totals totals = new Totals();
    if (plan.mode() instanceof PerfMode.Pairs) {
      int count = session.size() * (session.size() - 1);
      PairProgress progress = new PairProgress(err, count, System::nanoTime);
      List<PairFigures> pairs =
          new PairRun(plan, session, this::complain)
              .run(pair -> {
                if (reports) {
                  progress.done(pair);
                }
              });
      pairs.forEach(pair -> totals.add(pair.row()));
      if (reports) {
        report.pairs(pairs);
      }
    } else {
      SweepProgress progress = reports ? progress(session.size()) : null;
      new RankRun(plan, session, this::complain)
          .run(
              row -> {
                totals.add(row);
                if (reports) {
                  report.row(row);
                }
                if (progress != null) {
                  progress.done();
                }
              },
              interval -> {
                if (reports) {
                  report.interval(interval);
                }
              });
    }
    if (reports) {
      report.end(session.network(), ranks, totals);
    }
    boolean fast = totals.isFastEnough(plan.reporting().leastBandwidth());
    return totals.wrong() == 0 && fast ? ExitStatus.OK : ExitStatus.WRONG_RESULT;
  }

  /** Returns what tells a person how long the table takes; null where nobody looks at stderr. */
  private @Nullable SweepProgress progress(int ranks) {
    int times = SweepProgress.times(plan, ranks);
    return times == 0 || plan.mode() instanceof PerfMode.Intervals || !UserTerminal.showsErrors()
        ? null
        : new SweepProgress(err, plan.range().sizes(), times, System::nanoTime);
  }

  private void complain(String what) {
    err.println(what);
    err.flush();
  }

  /** Returns the name of this host, as its kernel knows it: without asking a name server. */
  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost"; // a name for the table's header, nothing depends on it
    }
  }
}
