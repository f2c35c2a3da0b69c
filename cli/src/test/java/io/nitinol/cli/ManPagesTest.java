// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** The pages that the profile dist makes of the commands, for man. */
class ManPagesTest {
  private static final CommandSpec ROOT = Main.commandLine().getCommandSpec();

  /** Returns the command and its subcommands that the help lists. */
  private static List<CommandSpec> visible() {
    List<CommandSpec> commands = new ArrayList<>(List.of(ROOT));
    ROOT.subcommands().values().stream()
        .map(line -> line.getCommandSpec())
        .filter(each -> !each.usageMessage().hidden())
        .forEach(commands::add);
    return commands;
  }

  private static String file(CommandSpec command) {
    return command.qualifiedName("-") + ".adoc";
  }

  /** Returns what finds the paragraph of an option, which may have several names. */
  private static Pattern heading(String option) {
    return Pattern.compile(
        "(?m)^\\*(?=-).*(?<![\\w-])" + Pattern.quote(option) + "(?![\\w-]).*::$");
  }

  @Test
  void everyVisibleCommandHasItsPageWithItsOptions(@TempDir Path pages) throws IOException {
    int failed = ManPageGenerator.generateManPage(pages.toFile(), null, new boolean[0], true, ROOT);
    assertThat(failed).isZero();

    TreeSet<String> expected = new TreeSet<>();
    for (CommandSpec command : visible()) {
      expected.add(file(command));
      String page = Files.readString(pages.resolve(file(command)));
      assertThat(page).contains("= " + command.qualifiedName("-") + "(1)").contains("== Synopsis");
      for (OptionSpec option : command.options()) {
        for (String name : option.names()) {
          assertThat(heading(name).matcher(page).find())
              .as("a paragraph of %s on the page of %s", name, command.name())
              .isEqualTo(!option.hidden());
        }
      }
    }
    assertThat(expected).hasSizeGreaterThan(12);
    try (Stream<Path> made = Files.list(pages)) {
      assertThat(made.map(page -> page.getFileName().toString())).hasSameElementsAs(expected);
    }
  }
}
