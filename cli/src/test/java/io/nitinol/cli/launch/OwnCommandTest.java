// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.Main;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnCommandTest {

  @Test
  void endsWithTheCommandsMainClassAndTheArguments() {
    List<String> command = OwnCommand.with(List.of("perf", "all_reduce"));
    assertThat(command).last().isEqualTo("all_reduce");
    assertThat(command.get(command.size() - 3)).endsWith(Main.class.getName());
  }

  @Test
  void startsTheCommandAlsoFromAJvmThatWasStartedAsSomethingElse() throws Exception {
    Process process =
        new ProcessBuilder(OwnCommand.with(List.of("--version"))).redirectErrorStream(true).start();
    try {
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(out).isZero();
      assertThat(out).contains("nitinol");
    } finally {
      process.destroyForcibly();
    }
  }
}
