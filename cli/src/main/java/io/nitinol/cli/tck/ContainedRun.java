// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.launch.ExitReason;
import io.nitinol.cli.launch.OwnCommand;
import io.nitinol.cli.launch.ShutdownWatch;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run in a process of its own, which the plugin may end: then its test has a result that says so,
 * and another process goes on with the tests that are left. A plugin that does it again and again
 * is given up, first on a lane and then as a whole.
 */
final class ContainedRun {
  /** How often a run is taken up again at most. */
  private static final int MOST_ENDS = 32;

  /** After so many ends on one lane its tests are given up, even if it is the only one. */
  private static final int MOST_ENDS_OF_A_LANE = 16;

  /** As many are had by each lane, however many there are. */
  private static final int LEAST_ENDS_OF_A_LANE = 2;

  /** Past this time a run is not taken up any more: thrice what it takes at most. */
  private static final Duration QUICK_LIMIT = Duration.ofMinutes(20);

  private static final Duration FULL_LIMIT = Duration.ofMinutes(45);

  /** How often the results so far are passed on. */
  private static final Duration SO_FAR = Duration.ofSeconds(5);

  /** The statuses of a process that has said why no more tests can be run. */
  private static final List<Integer> SAID =
      List.of(ExitStatus.USAGE, ExitStatus.TRANSPORT, ExitStatus.INTERNAL);

  private final List<String> arguments;
  private final Duration patience;
  private final PrintWriter err;
  private final Consumer<KitReport> soFar;
  private final Consumer<KitReport> cutShort;
  private final Map<String, Integer> ends = new HashMap<>();

  /** By their lanes, the rules in which the process ended first: those to repair first. */
  private final Map<String, String> first = new HashMap<>();

  private final long start = System.nanoTime();
  private final StallBounds stalls = new StallBounds();
  private int allEnds;
  private boolean cut;
  private long lastSoFar = start;

  /**
   * Creates a run that has not begun.
   *
   * @param arguments the whole command line of {@code nitinol}, which begins with {@code tck}
   * @param patience how long the kit waits for what a right plugin does at once
   * @param err is told of each end
   * @param soFar takes the results from time to time
   * @param cutShort takes them if the run is told to end before it has all
   */
  ContainedRun(
      List<String> arguments,
      Duration patience,
      PrintWriter err,
      Consumer<KitReport> soFar,
      Consumer<KitReport> cutShort) {
    this.arguments = arguments;
    this.patience = patience;
    this.err = err;
    this.soFar = soFar;
    this.cutShort = cutShort;
  }

  /**
   * How a run has ended.
   *
   * @param status what the command ends with, unless the report says something else
   * @param report null where there are no results, of which the reason has been told
   */
  record End(int status, @Nullable KitReport report) {}

  /**
   * Runs to the end.
   *
   * @throws CommandFailure when the plugin ends the process while it is loaded, or no process can
   *     be had
   */
  End run() {
    ShutdownWatch shutdown = ShutdownWatch.start("tck-ending", () -> {});
    try {
      Path directory = Files.createTempDirectory("nitinol-tck");
      Path notes = directory.resolve("notes");
      LeftProcesses.endWithThisProcess(() -> cutShort(directory, notes));
      try {
        return run(directory, notes, shutdown);
      } finally {
        delete(directory);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitStatus.INTERRUPTED, "interrupted");
    } catch (IOException e) {
      throw CommandFailure.usage("cannot run the kit in a process of its own: " + e);
    }
  }

  /**
   * Passes on what is known when this process is told to end, and deletes the run's folder. The
   * running thread and a hook come here, in any order, since a signal to the process group ends
   * both processes at once: the first one does it.
   */
  private synchronized void cutShort(Path directory, Path notes) {
    if (!cut) {
      cut = true;
      tell(notes, cutShort);
      delete(directory);
    }
  }

  private synchronized boolean isCut() {
    return cut;
  }

  private synchronized void tell(Path file, Consumer<KitReport> listener) {
    if (!Files.exists(file)) {
      return; // the run has come to its end
    }
    try {
      RunNotes notes = RunNotes.read(file);
      KitReport plan = notes.plan();
      if (plan != null) {
        listener.accept(notes.report(plan, elapsed()));
      }
    } catch (IOException e) {
      err.println("nitinol tck: the results so far cannot be read: " + e);
      err.flush();
    }
  }

  /** Each time that there are more results, but not all the time. */
  private synchronized void grown(Path notes) {
    long now = System.nanoTime();
    if (now - lastSoFar > SO_FAR.toNanos()) {
      lastSoFar = now;
      tell(notes, soFar);
    }
  }

  /** Deletes what the run and the processes that were ended have left; tells what cannot be. */
  private synchronized void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      err.println("nitinol tck: " + directory + " cannot be deleted: " + e);
      err.flush();
    }
  }

  private End run(Path directory, Path file, ShutdownWatch shutdown)
      throws IOException, InterruptedException {
    NoteWriter writer = new NoteWriter(file);
    double pace = Math.max(1, patience.toSeconds() / 10.0);
    List<String> command =
        OwnCommand.with(withNotes(file), List.of("-Djava.io.tmpdir=" + directory));
    while (true) {
      writer.process();
      KitProcess process = KitProcess.run(command, file, pace, () -> grown(file));
      if (isCut()) { // the folder is no more
        return new End(ExitReason.asked(process.status()), null);
      }
      RunNotes notes = RunNotes.read(file);
      KitReport plan = notes.plan();
      int status = process.status();
      if (notes.asked() || shutdown.hasBegun(notes.ended(), status)) {
        cutShort(directory, file);
        return new End(ExitReason.asked(status), null);
      }
      if (notes.ended()) { // by itself: a status alone may be the plugin's
        return plan != null && notes.left(plan).isEmpty()
            ? new End(lastStatus(status), notes.report(plan, elapsed()))
            : new End(SAID.contains(status) ? status : ExitStatus.INTERNAL, null);
      }
      if (notes.renewed()) {
        continue;
      }
      KitCrash crash = process.crash(command);
      if (plan == null || (notes.current() == null && notes.results().isEmpty())) {
        throw new CommandFailure(
            ExitStatus.TRANSPORT,
            "the plugin cannot be loaded: before the first test the process " + crash.how());
      }
      CaseResult current = notes.current();
      if (process.stuckSeconds() > 0 && current != null) {
        noVerdict(writer, notes, plan, current, crash);
        Duration limit = limit(plan).multipliedBy(Math.round(pace));
        StallBounds.GivenUp given = stalls.killed(current.lane(), elapsed(), limit);
        if (given != null) {
          giveUp(writer, RunNotes.read(file), plan, given);
        }
        if (RunNotes.read(file).left(plan).isEmpty()) {
          return new End(ExitStatus.INCONCLUSIVE, RunNotes.read(file).report(plan, elapsed()));
        }
        continue;
      }
      CaseResult result = note(notes, plan, crash);
      writer.result(result);
      giveUp(writer, RunNotes.read(file), plan, result.lane(), String.valueOf(result.broken()));
      RunNotes after = RunNotes.read(file);
      if (after.left(plan).isEmpty()) {
        return new End(ExitStatus.RULE_BROKEN, after.report(plan, elapsed()));
      }
    }
  }

  /** The option is in front of all others: what follows {@code --} would be no option. */
  private List<String> withNotes(Path file) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(1, List.of(TckOptions.NOTES, file.toString()));
    if (all.stream().noneMatch(word -> word.startsWith(TckOptions.PATIENCE))) {
      all.addAll(1, List.of(TckOptions.PATIENCE, Long.toString(patience.toSeconds())));
    }
    return all;
  }

  /** All tests have results: a crash after them is told, and fails the command. */
  private int lastStatus(int status) {
    if (status == ExitStatus.OK || status == ExitStatus.READER_GONE) {
      return ExitStatus.OK;
    }
    err.println(
        "nitinol tck: after the last test, when it was to end, the process "
            + ExitReason.describe(status));
    err.flush();
    return ExitStatus.RULE_BROKEN;
  }

  /**
   * A process that does not get on says nothing of the reason: its test is tried again, and has no
   * verdict if that ends in the same way.
   */
  private void noVerdict(
      NoteWriter writer, RunNotes notes, KitReport plan, CaseResult in, KitCrash crash) {
    String why = "the process " + crash.how();
    err.println("nitinol tck: in " + in.rule() + " " + in.test() + " on " + in.lane() + ": " + why);
    err.flush();
    if (!notes.wasKilledIn(in)) {
      writer.again(in);
      return;
    }
    writer.result(
        new CaseResult(
            in.rule(),
            in.test(),
            in.lane(),
            Outcome.INCONCLUSIVE,
            in.time(),
            null,
            why,
            List.of(),
            plan.seed()));
  }

  /** Makes the result of the test that the process has ended in, and tells of it. */
  private CaseResult note(RunNotes notes, KitReport plan, KitCrash crash) {
    CaseResult current = notes.current();
    CaseResult in = current == null ? notes.done().getLast() : current;
    String exit = notes.exit();
    String why =
        exit != null
            ? exit
            : "the process " + crash.how() + (current == null ? " (after the test had ended)" : "");
    String broken = exit != null ? "NET-ERR-01" : in.rule();
    err.println("nitinol tck: in " + in.rule() + " " + in.test() + " on " + in.lane() + ": " + why);
    err.flush();
    allEnds++;
    ends.merge(in.lane(), 1, Integer::sum);
    first.putIfAbsent(in.lane(), broken);
    return new CaseResult(
        in.rule(),
        in.test(),
        in.lane(),
        broken.equals(in.rule()) ? Outcome.FAILED : Outcome.BLOCKED,
        in.time(),
        broken,
        why,
        crash.frames(),
        plan.seed());
  }

  /** The first lanes leave something for the others. */
  static int mostEndsOfALane(int lanes) {
    return Math.clamp(MOST_ENDS / lanes, LEAST_ENDS_OF_A_LANE, MOST_ENDS_OF_A_LANE);
  }

  /** Gives the tests that are not to be run any more a result that says why. */
  private void giveUp(
      NoteWriter writer, RunNotes notes, KitReport plan, String lane, String broken) {
    Duration limit = limit(plan);
    if (allEnds >= MOST_ENDS) {
      giveUp(writer, notes, plan, broken, test -> true, allEnds + " times");
    } else if (elapsed().compareTo(limit) > 0) {
      String why = allEnds + " times, and the run has taken " + elapsed().toMinutes() + " minutes";
      giveUp(writer, notes, plan, broken, test -> true, why);
    } else if (ends.getOrDefault(lane, 0) >= mostEndsOfALane(plan.lanes().size())) {
      String why = ends.get(lane) + " times on this lane";
      giveUp(
          writer,
          notes,
          plan,
          first.getOrDefault(lane, broken),
          test -> test.lane().equals(lane),
          why);
    }
  }

  private static Duration limit(KitReport plan) {
    return plan.mode().equals("full") ? FULL_LIMIT : QUICK_LIMIT;
  }

  /** Leaves tests without a verdict: that processes do not get on says nothing of the reason. */
  private static void giveUp(
      NoteWriter writer, RunNotes notes, KitReport plan, StallBounds.GivenUp given) {
    for (CaseResult test : notes.left(plan)) {
      if (given.lane() == null || given.lane().equals(test.lane())) {
        writer.result(
            new CaseResult(
                test.rule(),
                test.test(),
                test.lane(),
                Outcome.INCONCLUSIVE,
                Duration.ZERO,
                null,
                given.why(),
                List.of(),
                plan.seed()));
      }
    }
  }

  private static void giveUp(
      NoteWriter writer,
      RunNotes notes,
      KitReport plan,
      String broken,
      Predicate<CaseResult> which,
      String times) {
    for (CaseResult test : notes.left(plan)) {
      if (which.test(test)) {
        writer.result(
            new CaseResult(
                test.rule(),
                test.test(),
                test.lane(),
                Outcome.BLOCKED,
                Duration.ZERO,
                broken,
                "not run: the plugin has ended the process " + times,
                List.of(),
                plan.seed()));
      }
    }
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
