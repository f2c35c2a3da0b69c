// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code nitinol completion} prints, and what bash makes of it. */
class CompletionTest {
  @TempDir private Path directory;

  private static String script(String shell) {
    StringWriter out = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out, true));
    assertThat(command.execute("completion", shell)).isZero();
    return out.toString();
  }

  /** The words as bash has them when the user presses Tab behind the last one. */
  @ParameterizedTest
  @CsvSource({
    "nitinol pe, perf",
    "nitinol co, compare completion",
    "nitinol doctor --js, --json",
    "nitinol completion f, fish",
    "nitinol perf al, all_reduce all_gather alltoall alltoallv allgatherv",
  })
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
    Process bash = new ProcessBuilder("bash", "-c", program).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
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
