// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.tck.KitRun;
import io.nitinol.tck.result.KitReport;
import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The message when a plugin ends the process before the verdict: a status of 0 from a plugin's
 * {@link System#exit} must not pass for conformance. Closed once the verdict is printed.
 */
final class EarlyEnd implements AutoCloseable {
  private final KitRun run;
  private final Progress progress;
  private final PrintWriter err;
  private final @Nullable NoteWriter notes;
  private volatile boolean told;

  /**
   * Creates the watch over a run.
   *
   * @param notes where it is noted for the process that started this one, or null where people are
   *     told
   */
  EarlyEnd(KitRun run, Progress progress, PrintWriter err, @Nullable NoteWriter notes) {
    this.run = run;
    this.progress = progress;
    this.err = err;
    this.notes = notes;
  }

  /** Says what is known and ends the process, if the plugin is what ends it. In a shutdown hook. */
  void tell() {
    String reason = told ? null : run.endedByPlugin();
    if (reason == null) {
      return;
    }
    progress.close();
    if (notes != null) {
      notes.exit(reason);
      Runtime.getRuntime().halt(ExitStatus.RULE_BROKEN);
    }
    KitReport report = run.report();
    Set<String> broken = report.brokenRules();
    err.println("nitinol tck: " + report.plugin() + " breaks NET-ERR-01: " + reason);
    err.println(
        ErrorText.of(
            "nitinol tck: no verdict: %s of %s tests were run until then; rules broken by "
                + "them: %s; --rule with a part of the rules tests around it",
            report.cases().size(),
            run.tests().size(),
            broken.isEmpty() ? "none" : String.join(", ", broken)));
    err.flush();
    Runtime.getRuntime().halt(ExitStatus.RULE_BROKEN);
  }

  @Override
  public void close() {
    told = true;
  }
}
