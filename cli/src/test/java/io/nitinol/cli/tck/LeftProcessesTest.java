// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.launch.JvmCommand;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeftProcessesTest {

  /** Starts a process, says which, and waits for it. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] args) throws Exception {
      LeftProcesses.endWithThisProcess();
      Process child = new ProcessBuilder("sleep", "300").inheritIO().start();
      System.out.println(child.pid());
      System.out.flush();
      child.waitFor();
    }
  }

  @Test
  void endWhenTheCommandIsAskedToEnd() throws Exception {
    Process starter =
        new ProcessBuilder(JvmCommand.ofThisProcess().run(Starter.class, List.of()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(starter.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle child =
          ProcessHandle.of(Long.parseLong(String.valueOf(out.readLine()))).orElseThrow();
      try {
        starter.destroy(); // SIGTERM
        assertThat(starter.waitFor(240, TimeUnit.SECONDS)).isTrue();
        child.onExit().get(60, TimeUnit.SECONDS);
        assertThat(child.isAlive()).isFalse();
      } finally {
        child.destroyForcibly();
      }
    } finally {
      starter.descendants().forEach(ProcessHandle::destroyForcibly);
      starter.destroyForcibly();
    }
  }
}
