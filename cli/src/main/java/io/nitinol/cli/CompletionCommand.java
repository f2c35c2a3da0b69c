// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nitinol completion}: the script by which a shell completes the command. */
@Command(
    name = "completion",
    header = "Print a script by which a shell completes this command.",
    description = {
      "",
      "Prints a script for bash, zsh or fish that completes commands, options and their values.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:the script was printed", "2:the command line is wrong"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(nitinol completion bash)        # in this bash or zsh",
      "  nitinol completion fish > ~/.config/fish/completions/nitinol.fish"
    })
public final class CompletionCommand implements Callable<Integer> {
  private static final String FISH = "fish";

  /** zsh runs the script of bash. */
  private static final List<String> SHELLS = List.of("bash", "zsh", FISH);

  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return SHELLS.iterator();
    }
  }

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "SHELL",
      completionCandidates = Shells.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String shell;

  /** Made by picocli. */
  public CompletionCommand() {}

  @Override
  public Integer call() {
    if (!SHELLS.contains(shell)) {
      throw CommandFailure.usage(
          ErrorText.of("SHELL: expected one of %s but was '%s'", String.join(", ", SHELLS), shell));
    }
    CommandLine root = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.print(shell.equals(FISH) ? fish(root) : AutoComplete.bash(root.getCommandName(), root));
    out.flush();
    return ExitStatus.OK;
  }

  private static String fish(CommandLine root) {
    String name = root.getCommandName();
    List<String> lines = new ArrayList<>();
    lines.add("# Completion of " + name + " for fish.");
    lines.add("complete -c " + name + " -f");
    arguments(name, "__fish_use_subcommand", root.getCommandSpec(), lines);
    root.getSubcommands()
        .forEach((command, line) -> {
          CommandSpec each = line.getCommandSpec();
          if (!each.usageMessage().hidden()) {
            lines.add(
                "complete -c %s -n __fish_use_subcommand -a %s%s"
                    .formatted(name, command, text(each.usageMessage().header())));
            String used = "'__fish_seen_subcommand_from " + command + "'";
            arguments(name, used, each, lines);
          }
        });
    return String.join("\n", lines) + "\n";
  }

  private static void arguments(
      String name, String condition, CommandSpec command, List<String> lines) {
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        StringBuilder line = new StringBuilder("complete -c " + name + " -n " + condition);
        for (String each : option.names()) {
          line.append(each.startsWith("--") ? " -l " : " -s ").append(each.replaceFirst("--?", ""));
        }
        if (option.arity().max() > 0) {
          line.append(option.arity().min() > 0 ? " -r" : "").append(values(option));
        }
        lines.add(line + text(option.description()));
      }
    }
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        lines.add("complete -c " + name + " -n " + condition + values(parameter));
      }
    }
  }

  /** Returns the option for values: their candidates, or files, which are what most others are. */
  private static String values(ArgSpec argument) {
    Iterable<String> candidates = argument.completionCandidates();
    if (candidates != null) {
      return " -a " + quoted(String.join(" ", candidates));
    }
    Class<?> type = argument.typeInfo().getType();
    return type.isPrimitive() || Number.class.isAssignableFrom(type) ? "" : " -F";
  }

  /** Returns the first sentence of a description. */
  private static String text(String[] description) {
    String all = String.join(" ", description).replaceAll("%n", " ").strip();
    int end = all.indexOf(". ");
    String sentence = end < 0 ? all : all.substring(0, end + 1);
    return sentence.isEmpty() || sentence.contains("${") ? "" : " -d " + quoted(sentence);
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
