// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code nitinol completion} prints, and what each shell makes of it. */
class CompletionTest {
  private static final Pattern MATCH = Pattern.compile("(?m)match:([\\w-]+)\\r?$");

  @TempDir private Path directory;

  private static String script(String shell) {
    StringWriter out = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true));
    assertThat(command.execute("completion", shell)).isZero();
    return out.toString();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void zshCompletes(String words, String expected) throws Exception {
    assumeTrue(isInstalled("zsh"), "no zsh on this machine (Debian: zsh)");
    Path file = Files.writeString(directory.resolve("nitinol.zsh"), script("zsh"));
    // Completion of zsh works in its editor alone, so a second zsh has a terminal. Each call that
    // adds matches prints them; Tab ends that zsh when all were added.
    String program =
        """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell 'autoload -Uz compinit; compinit -u -D; source %s
        compadd() {
          local -a matches; builtin compadd -O matches "$@"; print -rl -- match:$^matches
        }
        finish() { exit }
        comppostfuncs=(finish)'
        zpty -n -w shell '%s'$'\\t'
        while zpty -r shell text; do print -rn -- "$text"; done
        """
            .formatted(file, words);
    String said = run("zsh", "-f", "-c", program);
    assertThat(MATCH.matcher(said).results().map(match -> match.group(1)))
        .as(said)
        .containsExactlyInAnyOrder(expected.split(" ", -1));
  }

  @ParameterizedTest
  @MethodSource("lines")
  void fishCompletes(String words, String expected) throws Exception {
    assumeTrue(isInstalled("fish"), "no fish on this machine (Debian: fish)");
    Path file = Files.writeString(directory.resolve("nitinol.fish"), script("fish"));
    String said =
        run("fish", "--no-config", "-c", "source %s; complete -C '%s'".formatted(file, words));
    assertThat(said.lines().map(line -> line.split("\t", -1)[0]))
        .containsExactlyInAnyOrder(expected.split(" ", -1));
  }

  /** A line as it is when the user presses Tab at its end, and what may follow. */
  static Stream<Arguments> lines() {
    return Stream.of(
        Arguments.of("nitinol pe", "perf"),
        Arguments.of("nitinol co", "compare completion"),
        Arguments.of("nitinol doctor --js", "--json"),
        Arguments.of("nitinol completion f", "fish"),
        Arguments.of("nitinol perf al", "all_reduce all_gather alltoall alltoallv allgatherv"));
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      shell.getOutputStream().close();
      String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(shell.waitFor()).as(said).isZero();
      return said;
    } finally {
      shell.destroyForcibly();
    }
  }

  @ParameterizedTest
  @MethodSource("lines")
  void bashCompletes(String words, String expected) throws Exception {
    Path file = Files.writeString(directory.resolve("nitinol.bash"), script("bash"));
    List<String> typed = Arrays.asList(words.split(" ", -1));
    String program =
        """
        source %s
        COMP_WORDS=(%s)
        COMP_CWORD=%d
        _complete_nitinol nitinol "${COMP_WORDS[COMP_CWORD]}"
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(file, words, typed.size() - 1);
    String said = run("bash", "-c", program);
    assertThat(said.split("\\s+", -1)).contains(expected.split(" ", -1));
    assertThat(said).doesNotContain("watchdog");
  }

  @Test
  void zshTakesWhatBashTakes() {
    assertThat(script("zsh")).isEqualTo(script("bash")).contains("bashcompinit");
  }

  @Test
  void fishGetsCommandsOptionsAndValues() {
    assertThat(script("fish").lines())
        .contains(
            "complete -c nitinol -f",
            "complete -c nitinol -n __fish_use_subcommand -a env"
                + " -d 'List the variables, their values and their meaning.'",
            "complete -c nitinol -n '__fish_seen_subcommand_from perf' -s n -l ranks -r"
                + " -d 'How many ranks to start.'",
            "complete -c nitinol -n '__fish_seen_subcommand_from perf' -l csv -r -F"
                + " -d 'Write the table as comma-separated values as well, with all digits.'",
            "complete -c nitinol -n '__fish_seen_subcommand_from compare' -F",
            "complete -c nitinol -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'")
        .noneMatch(line -> line.contains("watchdog"));
  }

  @Test
  void anotherShellIsRefused() {
    StringWriter err = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setErr(new PrintWriter(err, true));
    assertThat(command.execute("completion", "tcsh")).isEqualTo(2);
    assertThat(err.toString()).contains("tcsh").contains("bash, zsh, fish");
  }
}
