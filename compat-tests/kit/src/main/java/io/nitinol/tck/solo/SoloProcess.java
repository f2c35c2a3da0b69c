// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.KitLog;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.TestSession;
import io.nitinol.tck.session.TestTerms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The program of a process in which a plugin is alone. */
public final class SoloProcess {
  private SoloProcess() {}

  static List<String> arguments(TestSession session, Errand errand, Path said) {
    Lane lane = session.lane();
    return List.of(
        said.toString(),
        errand.name(),
        session.plugin().reference(),
        lane.kind().name(),
        Integer.toString(lane.provided()),
        Integer.toString(lane.presented()),
        session.terms().rule(),
        Long.toString(session.terms().patience().nanos()));
  }

  /**
   * Runs the errand that the arguments name.
   *
   * @throws IOException when the report cannot be written
   */
  public static void main(String[] args) throws IOException {
    Errand errand = Errand.valueOf(args[1]);
    try (SoloReport report = new SoloReport(Path.of(args[0]))) {
      try {
        run(errand, args, report);
      } catch (RuleViolation e) {
        report.say(SoloResult.VIOLATED, e.rule() + " " + e.getMessage());
      } catch (Inapplicable e) {
        report.say(SoloResult.INAPPLICABLE, String.valueOf(e.getMessage()));
      } catch (Throwable e) {
        report.say(SoloResult.FAILED, e);
      }
      report.done();
    }
    if (errand != Errand.LEAVE_OPEN) {
      Runtime.getRuntime().halt(0);
    }
    // Otherwise main returns, which is what the errand is about.
  }

  private static void run(Errand errand, String[] args, SoloReport report) throws Throwable {
    Lane lane =
        new Lane(Kind.valueOf(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
    if (errand == Errand.CONSTRUCT) {
      Constructing.run(args[2], lane, report);
      return;
    }
    if (errand == Errand.READ_SETTINGS) {
      ReadingSettings.run(args[2], lane, report);
      return;
    }
    NewThreads threads = new NewThreads();
    TestTerms terms =
        new TestTerms(
            PluginUnderTest.ofReference(args[2]),
            lane,
            args[6],
            false,
            1,
            new KitPatience(Long.parseLong(args[7])),
            new CallTrace(),
            new KitLog());
    switch (errand) {
      case WORK -> Working.run(terms, threads, report);
      case LEAVE_OPEN -> LeavingOpen.run(terms, report);
      case INITIALIZE_STARVED -> Starving.initialize(terms, report);
      case WORK_STARVED -> Starving.work(terms, report);
      default -> throw new IllegalArgumentException("no errand " + errand);
    }
  }
}
