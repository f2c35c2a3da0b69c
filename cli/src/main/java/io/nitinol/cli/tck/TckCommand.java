// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.KitRun;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.report.TableReport;
import io.nitinol.tck.result.KitReport;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ExitCall;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code nitinol tck}: which rules of the contract a plugin breaks. */
@Command(
    name = "tck",
    header = "Check a plugin against the contract: which rule does it break?",
    description = {
      "",
      "Tests a Net or CollNet plugin, or a device provider, against the numbered rules of SPEC.md,"
          + " in every version that it offers and through each adapter, and prints a table of the"
          + " rules. A network must reach this host from this host.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:the plugin conforms",
      "1:a rule is broken",
      "2:the command line or a variable asks for something that cannot be done",
      "3:there is no such plugin, it cannot be loaded, or nothing of it can be tested here",
      "5:a defect of Nitinol",
      "6:no rule is broken, but tests had no verdict, twice: run them on an idle machine",
      "130, 143:ended by Ctrl-C or SIGTERM"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol tck Socket",
      "  nitinol tck build/my-net.jar --rule NET-SEND-04 --seed 1234",
      "  nitinol tck MyNet --full --junit tck.xml --html tck.html"
    })
public final class TckCommand implements Callable<Integer> {
  private static final Pattern NATIVE = Pattern.compile("(?i).*\\.(so(\\.[0-9]+)*|dylib|dll)");
  private static final int COLUMNS = 80;

  /** Calls that do not come back have a new process each, up to so many. */
  private static final int MOST_RENEWALS = 16;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TckOptions options;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private ReportFiles files;

  /** Made by picocli. */
  public TckCommand() {}

  @Override
  public Integer call() {
    SettingsReport.refuse();
    CommandLine command = spec.commandLine();
    PrintWriter out = command.getOut();
    if (options.list()) {
      RuleListing.lines(options.rules(command)).forEach(out::println);
      out.flush();
      return ExitStatus.OK;
    }
    String name = options.plugin();
    if (name == null || name.isBlank()) {
      throw new ParameterException(
          command, "which plugin? nitinol plugins shows the names; a path has a / in it");
    }
    // What is wrong on the command line is told before the plugin is loaded.
    List<String> rules = options.testableRules(command);
    files.requireWritable(command);
    int toDevice = options.toDevice(command);
    Path notes = options.notes();
    if (notes != null) {
      LeftProcesses.endWithParent();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> noteSignal(notes), "tck-signal"));
      runNoting(name, rules, toDevice, notes);
      // Whether stdout could be written is for the process that concludes to check.
      System.setOut(new PrintStream(OutputStream.nullOutputStream()));
      return ExitStatus.OK;
    }
    options.requireSense(command);
    if (options.contained()) {
      return runContained(name, rules);
    }
    PluginUnderTest plugin = plugin(name, toDevice);
    KitOptions kit = options.kit(command, rules, plugin.lanes());
    announce(plugin, kit, out);
    try (KitRun run = Kit.prepare(plugin, kit);
        Progress progress = progress(command.getErr());
        EarlyEnd early = new EarlyEnd(run, progress, command.getErr(), null)) {
      LeftProcesses.endWithThisProcess(early::tell);
      plan(run, out);
      progress.expect(run.expected(), 0).keepTelling();
      KitReport report = Kit.execute(run, progress);
      progress.close();
      return conclude(report.namedBy(name), rules);
    }
  }

  private PluginUnderTest plugin(String name, int toDevice) {
    PluginUnderTest found = find(name).receivingOn(toDevice);
    return options.withinProcess() ? found.withinProcess() : found;
  }

  /** Leaves it to other processes to run the kit, and concludes from what they have noted. */
  private int runContained(String name, List<String> rules) {
    CommandLine command = spec.commandLine();
    List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
    ContainedRun.End end =
        new ContainedRun(
                arguments,
                options.patience(command),
                command.getErr(),
                soFar -> files.writeSoFar(soFar.namedBy(name), command.getErr()),
                report -> cutShort(report.namedBy(name)))
            .run();
    KitReport report = end.report();
    if (report == null) {
      return end.status();
    }
    int verdict = conclude(report.namedBy(name), rules);
    return verdict == ExitStatus.OK ? end.status() : verdict;
  }

  /** Prints and writes what a run has found that is told to end. */
  private void cutShort(KitReport report) {
    PrintWriter out = spec.commandLine().getOut();
    TableReport.cutShort(report).forEach(out::println);
    out.flush();
    files.writeSoFar(report, spec.commandLine().getErr());
  }

  /** Runs at the end of the process, and tells the one that started it why. */
  private static void noteSignal(Path notes) {
    if (ExitCall.isSignal()) {
      new NoteWriter(notes).asked();
    }
  }

  /** Runs what is left of a run for the process that started this one, which concludes. */
  private void runNoting(String name, List<String> rules, int toDevice, Path file) {
    CommandLine command = spec.commandLine();
    RunNotes before = RunNotes.ofRun(file);
    NoteWriter notes = new NoteWriter(file);
    try {
      PluginUnderTest plugin = plugin(name, toDevice);
      runNoting(plugin, options.kit(command, rules, plugin.lanes()), before, notes);
    } finally {
      notes.end();
    }
  }

  private void runNoting(
      PluginUnderTest plugin, KitOptions asked, RunNotes before, NoteWriter notes) {
    CommandLine command = spec.commandLine();
    KitReport plan = before.plan();
    KitOptions kit = plan == null ? asked : asked.withSeed(plan.seed());
    if (plan == null) {
      announce(plugin, kit, command.getOut());
    }
    try (Progress progress = progress(command.getErr()).after(before.done());
        KitRun run = Kit.continued(plugin, kit, before.done(), before.impatient());
        EarlyEnd early = new EarlyEnd(run, progress, command.getErr(), notes)) {
      LeftProcesses.endWithThisProcess(early::tell);
      if (plan == null) {
        notes.run(run.report(), run.tests());
        plan(run, command.getOut());
      }
      progress.expect(run.expected(), before.done().size()).keepTelling();
      boolean mayRenew = before.renewals() < MOST_RENEWALS;
      Kit.execute(
          run,
          notes.beside(progress, before.done().size()),
          () -> {
            if (mayRenew && run.isStuck()) {
              progress.close();
              notes.renew(run.impatient());
              Runtime.getRuntime().halt(ExitStatus.OK); // its status is not looked at
            }
            return false;
          });
    }
  }

  /** Prints and writes what a run has found, and returns the exit status. */
  private int conclude(KitReport report, List<String> rules) {
    PrintWriter out = spec.commandLine().getOut();
    TableReport.lines(report).forEach(out::println);
    out.flush();
    files.write(report);
    return verdict(report, rules);
  }

  private static PluginUnderTest find(String name) {
    return isPath(name) ? PluginUnderTest.at(Path.of(name)) : PluginUnderTest.named(name);
  }

  private static boolean isPath(String name) {
    return name.indexOf('/') >= 0
        || name.toLowerCase(Locale.ROOT).endsWith(".jar")
        || NATIVE.matcher(name).matches();
  }

  private static void announce(PluginUnderTest plugin, KitOptions kit, PrintWriter out) {
    out.println(
        ErrorText.of(
            "%s from %s, %s, seed %s, patience %s s",
            plugin.name(), plugin.origin(), kit.mode(), kit.seed(), kit.patience().toSeconds()));
    for (PluginDescription rejected : plugin.rejected()) {
      out.println("  not loaded: " + rejected.name() + ": " + rejected.reason());
    }
    out.flush();
  }

  /** Says how long it takes, before it takes it. */
  private static void plan(KitRun run, PrintWriter out) {
    run.plan().forEach(out::println);
    out.flush();
  }

  private static Progress progress(PrintWriter err) {
    return new Progress(err, UserTerminal.isThere(), COLUMNS, System::nanoTime);
  }

  static int verdict(KitReport report, List<String> rules) {
    if (report.nothingRun()) {
      throw CommandFailure.usage(
          ErrorText.of(
              "no test was run: none of %s has a %s test for these lanes",
              rules.isEmpty() ? "the rules" : String.join(", ", rules), report.mode()));
    }
    if (report.nothingTested()) {
      throw new CommandFailure(
          ExitStatus.TRANSPORT, "nothing could be tested: " + report.whyNothing());
    }
    if (report.isInconclusive()) {
      return ExitStatus.INCONCLUSIVE;
    }
    return report.conforms() ? ExitStatus.OK : ExitStatus.RULE_BROKEN;
  }
}
