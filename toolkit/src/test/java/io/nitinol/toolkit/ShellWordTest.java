// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellWordTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/opt/a-b_c/net.jar|/opt/a-b_c/net.jar",
        "--size=1,2@x:50%|--size=1,2@x:50%",
        "\"\"|''",
        "my net's.jar|'my net'\\''s.jar'",
        "=ls|'=ls'", // zsh looks for the program
        "~root|'~root'",
        "$HOME|'$HOME'",
        "{a,b}|'{a,b}'",
        "größe|'größe'"
      })
  void whatAShellTakesForMoreIsQuoted(String text, String word) {
    assertThat(ShellWord.quoted(text)).isEqualTo(word);
  }

  @Test
  void aShellGivesTheTextBack() throws Exception {
    List<String> texts =
        List.of(
            "a b", "", "it's", "''", "`id` $(id) \\ \"", "a\nb", "*", "#", "!x", "a;b&c|d", "~");
    StringBuilder command = new StringBuilder("printf '%s\\0'");
    texts.forEach(text -> command.append(' ').append(ShellWord.quoted(text)));
    Process shell = new ProcessBuilder("sh", "-c", command.toString()).start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).isZero();
    assertThat(said.split("\0", -1)).startsWith(texts.toArray(String[]::new)).hasSize(12);
  }
}
