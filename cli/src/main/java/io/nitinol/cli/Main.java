// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import io.nitinol.cli.command.CommandVersion;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.doctor.DoctorCommand;
import io.nitinol.cli.inspect.DiagnoseCommand;
import io.nitinol.cli.inspect.EnvCommand;
import io.nitinol.cli.inspect.PluginsCommand;
import io.nitinol.cli.launch.OpenFiles;
import io.nitinol.cli.launch.ParentReport;
import io.nitinol.cli.launch.RunCommand;
import io.nitinol.cli.launch.WatchdogCommand;
import io.nitinol.cli.perf.PerfCommand;
import io.nitinol.cli.perf.runs.CompareCommand;
import io.nitinol.cli.sim.SimCommand;
import io.nitinol.cli.switching.SwitchCommand;
import io.nitinol.cli.tck.TckCommand;
import io.nitinol.cli.top.TopCommand;
import io.nitinol.cli.topo.TopoCommand;
import io.nitinol.cli.trace.TraceCommand;
import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code nitinol} command. */
@Command(
    name = "nitinol",
    description = "Collective communication for the JVM over network plugins.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = CommandVersion.class,
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:everything went well, every checked element was right",
      "1:a collective's result has wrong elements, or a plugin breaks a rule",
      "2:the command line or a variable asks for something that cannot be done",
      "3:no network plugin could be used, or a connection failed",
      "4:a rank died, or ended because another one did",
      "5:a defect of Nitinol, or its output could not be written",
      "6:the kit could not find out whether a plugin conforms",
      "130, 143:ended by Ctrl-C or SIGTERM",
      "141:the reader of the output has left"
    },
    footerHeading = "%n",
    footer = {
      "@|bold nitinol perf all_reduce -n 4|@ is a good first command.",
      "@|bold nitinol env|@ lists the variables that choose and tune the transport."
    })
public final class Main implements Callable<Integer> {
  private static final List<Class<?>> COMMANDS =
      List.of(
          PerfCommand.class,
          CompareCommand.class,
          RunCommand.class,
          PluginsCommand.class,
          TopoCommand.class,
          SimCommand.class,
          TckCommand.class,
          SwitchCommand.class,
          EnvCommand.class,
          DoctorCommand.class,
          DiagnoseCommand.class,
          TopCommand.class,
          TraceCommand.class,
          CompletionCommand.class,
          WatchdogCommand.class);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Made by {@link #commandLine}. */
  Main() {}

  /** Runs the command and ends the process with its exit status. */
  public static void main(String[] args) {
    int status = ExitStatus.INTERNAL;
    try {
      status = run(args);
      if (ParentReport.isWanted()) {
        ParentReport.status(status);
      }
    } finally {
      System.exit(status); // an Error that came through would end the JVM with 1, a wrong result
    }
  }

  private static int run(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    try {
      if (ParentReport.isWanted()) {
        ParentReport.begin();
      }
      return StandardOutput.finish(execute(commandLine(args), args), err);
    } catch (Throwable defect) {
      return defect(defect, err);
    }
  }

  /** Runs a command; an Error does not come through, since the JVM's 1 means a wrong result. */
  static int execute(CommandLine command, String... args) {
    try {
      return command.execute(args);
    } catch (Throwable defect) {
      return defect(defect, command.getErr());
    }
  }

  private static int defect(Throwable defect, PrintWriter err) {
    int status = defect instanceof OutOfMemoryError ? ExitStatus.USAGE : ExitStatus.INTERNAL;
    try {
      if (OpenFiles.ranOut(defect)) {
        status = ExitStatus.TRANSPORT;
        err.println("nitinol: " + OpenFiles.sentence());
      } else if (defect instanceof OutOfMemoryError) {
        err.println(
            ErrorText.of(
                "nitinol: there is too little memory (%s); -Xmx in NITINOL_JAVA_OPTS raises the"
                    + " limit of the Java heap",
                defect.getMessage()));
      } else {
        err.println("nitinol: a defect, please report it: " + defect);
        defect.printStackTrace(err);
      }
      err.flush();
    } catch (Throwable _) {
      return status; // with no memory, stack or class left for a sentence, it tells the most
    }
    return status;
  }

  /** Returns the command, ready to be executed, with its messages and its layout. */
  static CommandLine commandLine() {
    return commandLine(COMMANDS);
  }

  /**
   * Returns the same for these arguments. If they begin with the name of a command, the others are
   * left out: reading the annotations of all takes longer than what most of them do.
   */
  static CommandLine commandLine(String[] args) {
    List<Class<?>> named =
        COMMANDS.stream().filter(each -> args.length > 0 && args[0].equals(nameOf(each))).toList();
    boolean needsAll = named.isEmpty() || named.contains(CompletionCommand.class);
    return commandLine(needsAll ? COMMANDS : named);
  }

  private static String nameOf(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandMessages messages = new CommandMessages();
    CommandLine command = new CommandLine(new Main());
    commands.forEach(command::addSubcommand);
    CommandSpec help = CommandSpec.forAnnotatedObject(new HelpCommand());
    help.usageMessage().hidden(true); // for those who try it; --help is the documented way
    command.addSubcommand("help", help);
    command.setParameterExceptionHandler(messages);
    command.setExecutionExceptionHandler(messages);
    command.setUsageHelpWidth(100);
    command.setUsageHelpLongOptionsMaxWidth(34);
    CommandLine run = command.getSubcommands().get(nameOf(RunCommand.class));
    if (run != null) {
      run.setStopAtPositional(true); // what follows the program's name belongs to the program
    }
    return command;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "a command is missing, one of " + String.join(", ", CommandMessages.commands(spec)));
  }
}
