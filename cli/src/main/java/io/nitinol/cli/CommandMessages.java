// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.launch.FailureRecord;
import io.nitinol.cli.launch.OpenFiles;
import io.nitinol.cli.launch.ParentReport;
import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.config.CloseNames;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports in one sentence on stderr why the command ends, and chooses the exit status. A rank that
 * {@code perf} launched hands its sentence to the launcher, which prints the same sentence only
 * once.
 */
final class CommandMessages implements IParameterExceptionHandler, IExecutionExceptionHandler {
  /** The text that picocli puts before the name of a parameter that is not an option. */
  private static final Pattern POSITIONAL =
      Pattern.compile("invalid value for positional parameter at index \\S+ \\((\\S+)\\): ");

  @Override
  public int handleParseException(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + sentence(failure, args) + " (" + name + " --help)");
    command.getErr().flush();
    return ExitStatus.USAGE;
  }

  private static String sentence(ParameterException failure, String[] args) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      String typed = unmatched.getUnmatched().get(0);
      CommandSpec spec = failure.getCommandLine().getCommandSpec();
      if (typed.startsWith("-")) {
        return "there is no option " + typed + hint(stem(typed), options(spec));
      }
      if (!spec.subcommands().isEmpty()) {
        List<String> commands = commands(spec);
        return ErrorText.of(
            "there is no command %s%s; the commands are %s",
            typed, CloseNames.hint(typed, commands), String.join(", ", commands));
      }
      return "too many arguments, from " + typed + " on";
    }
    String message = lowerFirst(String.valueOf(failure.getMessage()));
    message = POSITIONAL.matcher(message).replaceFirst("$1: ");
    return failure.getArgSpec() instanceof OptionSpec option
        ? message.replace("'" + option.longestName() + "'", "'" + typedName(option, args) + "'")
        : message;
  }

  /**
   * Returns by which of its names an option was given: {@code -b}, although it has a longer one.
   */
  private static String typedName(OptionSpec option, String[] args) {
    for (String arg : args) {
      for (String name : option.names()) {
        boolean letter = !name.startsWith("--");
        if (arg.equals(name) || arg.startsWith(letter ? name : name + "=")) {
          return name;
        }
      }
    }
    return option.longestName();
  }

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
    int status = ExitStatus.INTERNAL;
    int failedRank = -1;
    String message = failure.getMessage();
    switch (failure) {
      case CommandFailure f -> status = f.status();
      case BootstrapException f when f.result() == ResultCode.INVALID_ARGUMENT ->
          status = ExitStatus.USAGE; // a variable that says where to meet makes no sense
      case CommException f -> {
        failedRank = f.failedRank();
        int own = ownRank();
        // Where all ranks are threads of this process, none has ended because another one did.
        boolean another = own >= 0 && failedRank >= 0 && failedRank != own;
        status = another ? ExitStatus.RANK_DIED : ExitStatus.TRANSPORT;
      }
      case NetException f -> status = ExitStatus.TRANSPORT;
      default -> {
        if (OpenFiles.ranOut(failure)) {
          status = ExitStatus.TRANSPORT;
          message = OpenFiles.sentence();
        } else {
          failure.printStackTrace(command.getErr());
        }
      }
    }
    if (message == null || status == ExitStatus.INTERNAL) {
      message = "a defect, please report it: " + failure;
    }
    message = OpenFiles.advise(message);
    if (status == ExitStatus.READER_GONE) {
      return status; // what could be told is told at the end, by StandardOutput
    }
    if (ParentReport.isWanted()) {
      command.getErr().flush();
      ParentReport.failure(new FailureRecord(status, failedRank, message));
    } else {
      command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + message);
    }
    command.getErr().flush();
    return status;
  }

  /** Suggests for long options only: among single letters all are close to each other. */
  private static String hint(String typed, List<String> options) {
    return typed.startsWith("--")
        ? CloseNames.hint(typed, options.stream().filter(o -> o.startsWith("--")).toList())
        : "";
  }

  private static int ownRank() {
    RankEnvironment here = RankEnvironment.detect(System.getenv());
    return here == null ? -1 : here.rank();
  }

  static List<String> commands(CommandSpec spec) {
    List<String> names = new ArrayList<>();
    spec.subcommands()
        .forEach((name, sub) -> {
          if (!sub.getCommandSpec().usageMessage().hidden()) {
            names.add(name);
          }
        });
    return names;
  }

  private static List<String> options(CommandSpec spec) {
    List<String> names = new ArrayList<>();
    spec.options().forEach(option -> names.addAll(List.of(option.names())));
    return names;
  }

  /** Returns an option as it was typed, without the value after {@code =}. */
  private static String stem(String typed) {
    int equals = typed.indexOf('=');
    return equals < 0 ? typed : typed.substring(0, equals);
  }

  /** Makes a sentence fit behind a colon; a variable's name at its beginning stays as it is. */
  static String lowerFirst(String text) {
    return text.length() > 1 && Character.isLowerCase(text.charAt(1))
        ? Character.toLowerCase(text.charAt(0)) + text.substring(1)
        : text;
  }
}
