// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.SettingsCheck;
import io.nitinol.core.config.VariableTable;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.ErrorText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code nitinol env}: all variables, their values, and those that nothing reads. */
@Command(
    name = "env",
    header = "List the variables, their values and their meaning.",
    description = {
      "",
      "Lists the variables that Nitinol and its plugins read: value, its source, the accepted"
          + " values, default and meaning. Variables that are set and that nothing reads come last.",
      "",
      "Lines are as wide as the terminal, or as COLUMNS says. Elsewhere they are not broken.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all were listed",
      "2:the command line is wrong, or no variable has such a name",
      "3:a plugin ended the process"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol env --set              # what is set here, and where",
      "  nitinol env NCCL_SOCKET        # all whose names have this in them",
      "  nitinol env debug timeout      # in whatever case; those with one or the other",
      "  nitinol env --json NCCL_NET"
    })
public final class EnvCommand implements Callable<Integer> {
  private static final String INDENT = "    ";
  private static final String NOTE = "# ";

  /** What is wrong with plugins is for {@code nitinol plugins} to say. */
  private static final DebugLogger SILENT =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return false;
        }

        @Override
        public void log(
            LogLevel level, long subsystems, String location, int line, String message) {}
      };

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "Show only variables whose names contain one of these texts.")
  private List<String> parts = List.of();

  @Option(
      names = "--set",
      description = "Show only what is set, by the environment or by a configuration file.")
  private boolean onlySet;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(names = "--markdown", description = "Print the declarations as Markdown, without values.")
  private boolean markdown;

  /** Made by picocli. */
  public EnvCommand() {}

  @Override
  public Integer call() {
    if (json && markdown) {
      throw new ParameterException(spec.commandLine(), "--json and --markdown exclude each other");
    }
    if (markdown && (onlySet || !parts.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--markdown prints all declarations: it takes no NAME and no --set");
    }
    if (ContainedCommand.isNeeded()) {
      return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
    }
    PrintWriter out = spec.commandLine().getOut();
    Settings settings = Settings.process();
    List<String> warnings = new ArrayList<>();
    settings.warnTo(warnings::add);
    VariableTable table =
        VariableTable.installed().with(PluginCatalog.discover(settings, SILENT).variables());
    EnvSelection selection = new EnvSelection(table, settings, parts, onlySet);
    String mistake = selection.mistake();
    if (mistake != null) {
      throw CommandFailure.usage(mistake);
    }
    if (markdown) {
      out.print(table.markdown());
    } else if (json) {
      out.println(json(selection));
    } else {
      int columns = UserTerminal.columns();
      text(selection, columns).forEach(out::println);
      List<String> notes = new ArrayList<>();
      if (onlySet && selection.isEmpty()) {
        notes.add("none of these variables is set");
      }
      selection.about(warnings).forEach(warning -> notes.add("not understood: " + warning));
      selection.about(SettingsCheck.mistakes(settings)).stream()
          .filter(each -> !warnings.contains(each))
          .forEach(notes::add);
      notes.addAll(selection.unreadSentences());
      for (String note : notes) {
        UserTerminal.wrapped(note, columns - NOTE.length())
            .forEach(line -> out.println(NOTE + line));
      }
    }
    out.flush();
    return ExitStatus.OK;
  }

  /**
   * Returns the variables of a selection for a person.
   *
   * @param columns how wide lines may be, but for a value, which is not broken; 0 for no bound
   */
  static List<String> text(EnvSelection selection, int columns) {
    List<String> lines = new ArrayList<>();
    for (VariableCatalog catalog : selection.table().catalogs()) {
      List<Variable<?>> shown = selection.shown(catalog);
      if (!shown.isEmpty()) {
        lines.add("# " + catalog.owner());
      }
      for (Variable<?> variable : shown) {
        lines.add(value(variable, selection.settings()));
        String fallback = VariableTable.shown(variable.fallback());
        String form = variable.form() + "; default " + (fallback.isEmpty() ? "not set" : fallback);
        for (String each : List.of(variable.meaning(), form)) {
          UserTerminal.wrapped(each, columns - INDENT.length())
              .forEach(line -> lines.add(INDENT + line));
        }
      }
    }
    return lines;
  }

  private static String value(Variable<?> variable, Settings settings) {
    String value = VariableTable.value(variable, settings);
    String source = settings.source(variable);
    if (!settings.isSet(variable)) {
      return value.isEmpty()
          ? variable.name() + "  (not set)"
          : ErrorText.of("%s=%s  (%s)", variable.name(), value, source);
    }
    return settings.mistake(variable) == null
        ? ErrorText.of("%s=%s  (from %s)", variable.name(), value, source)
        : ErrorText.of(
            "%s=%s  (default: the text from %s is not understood)", variable.name(), value, source);
  }

  static String json(EnvSelection selection) {
    Settings settings = selection.settings();
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode variables = root.putArray("variables");
    for (VariableCatalog catalog : selection.table().catalogs()) {
      for (Variable<?> variable : selection.shown(catalog)) {
        variables
            .addObject()
            .put("name", variable.name())
            .put("read_by", catalog.owner())
            .put("value", VariableTable.value(variable, settings))
            .put("set", settings.isSet(variable))
            .put("source", settings.source(variable))
            .put("default", String.valueOf(variable.fallback()))
            .put("accepted", variable.form())
            .put("meaning", variable.meaning());
      }
    }
    ArrayNode unread = root.putArray("not_read");
    for (String name : selection.unread()) {
      unread.addObject().put("name", name).put("value", settings.raw(name));
    }
    ArrayNode problems = root.putArray("problems");
    selection.about(SettingsCheck.mistakes(settings)).forEach(problems::add);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }
}
