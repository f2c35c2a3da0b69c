// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.SettingsCheck;
import io.nitinol.core.config.CloseNames;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:all were listed",
      "2:the command line is wrong",
      "3:a plugin ended the process"
    })
public final class EnvCommand implements Callable<Integer> {
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
    if (ContainedCommand.isNeeded()) {
      return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
    }
    PrintWriter out = spec.commandLine().getOut();
    Settings settings = Settings.process();
    List<String> warnings = new ArrayList<>();
    settings.warnTo(warnings::add);
    VariableTable table =
        VariableTable.installed().with(PluginCatalog.discover(settings, SILENT).variables());
    if (markdown) {
      out.print(table.markdown());
    } else if (json) {
      out.println(json(table, settings));
    } else {
      out.print(table.text(settings));
      warnings.forEach(warning -> out.println("# not understood: " + warning));
      SettingsCheck.mistakes(settings).stream()
          .filter(mistake -> !warnings.contains(mistake))
          .forEach(mistake -> out.println("# " + mistake));
      unread(table, settings).forEach(line -> out.println("# " + line));
    }
    out.flush();
    return ExitStatus.OK;
  }

  /** Returns a sentence for each name that is set and declared by nothing. */
  static List<String> unread(VariableTable table, Settings settings) {
    List<String> known = declared(table).stream().map(Variable::name).toList();
    List<String> lines = new ArrayList<>();
    for (String name : unreadNames(known, settings)) {
      lines.add(
          ErrorText.of(
              "%s=%s is not read by anything%s",
              name, settings.raw(name), CloseNames.hint(name, known)));
    }
    return lines;
  }

  private static Set<String> unreadNames(List<String> known, Settings settings) {
    Set<String> unread = new TreeSet<>(settings.names());
    known.forEach(unread::remove);
    return unread;
  }

  private static List<Variable<?>> declared(VariableTable table) {
    List<Variable<?>> all = new ArrayList<>();
    for (VariableCatalog catalog : table.catalogs()) {
      all.addAll(catalog.variables());
    }
    return all;
  }

  private static String json(VariableTable table, Settings settings) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode variables = root.putArray("variables");
    for (VariableCatalog catalog : table.catalogs()) {
      for (Variable<?> variable : catalog.variables()) {
        variables
            .addObject()
            .put("name", variable.name())
            .put("read_by", catalog.owner())
            .put("value", VariableTable.value(variable, settings))
            .put("source", settings.source(variable))
            .put("default", String.valueOf(variable.fallback()))
            .put("accepted", variable.form())
            .put("meaning", variable.meaning());
      }
    }
    List<String> known = declared(table).stream().map(Variable::name).toList();
    ArrayNode unread = root.putArray("not_read");
    for (String name : unreadNames(known, settings)) {
      unread.addObject().put("name", name).put("value", settings.raw(name));
    }
    ArrayNode problems = root.putArray("problems");
    SettingsCheck.mistakes(settings).forEach(problems::add);
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }
}
