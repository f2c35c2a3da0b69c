// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The examples at the end of each command's help. */
class HelpExamplesTest {
  /** A call of the command in a line of a shell, up to where another thing begins. */
  private static final Pattern CALL = Pattern.compile("(?<![\\w/.-])nitinol +([^#>|&;()]+)");

  static Stream<String> commands() {
    return Main.commandLine().getSubcommands().entrySet().stream()
        .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
        .map(each -> each.getKey());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void eachCommandShowsExamplesThatItUnderstands(String name) {
    CommandLine command = Main.commandLine().getSubcommands().get(name);
    List<List<String>> examples = examples(command.getCommandSpec());
    assertThat(examples).as("examples of %s --help", name).isNotEmpty();
    assertThat(examples).allMatch(words -> !words.isEmpty());
    assertThat(examples).as("examples of %s --help", name).anyMatch(w -> w.getFirst().equals(name));
    for (List<String> words : examples) {
      assertThatCode(() -> Main.commandLine().parseArgs(words.toArray(String[]::new)))
          .as("nitinol %s", String.join(" ", words))
          .doesNotThrowAnyException();
    }
  }

  /** Returns the words of each call; a backslash at the end of a line continues it. */
  private static List<List<String>> examples(CommandSpec command) {
    String footer = String.join("\n", command.usageMessage().footer());
    String lines = footer.replace("%%", "%").replaceAll("\\\\\n", " ");
    List<List<String>> examples = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      String code = line.replaceFirst(" # .*", "");
      for (Matcher call = CALL.matcher(code); call.find(); ) {
        examples.add(Arrays.asList(call.group(1).strip().split(" +")));
      }
    }
    return examples;
  }
}
