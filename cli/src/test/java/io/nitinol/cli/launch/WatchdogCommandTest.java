// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.shm.ProcessName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The guard kills what it was told of, whenever the launcher was killed, and nothing else. */
class WatchdogCommandTest {
  private final List<Process> programs = new ArrayList<>();

  @AfterEach
  void end() {
    programs.forEach(Process::destroyForcibly);
  }

  @Test
  void killsWhatIsWatchedAndNotForgotten() throws Exception {
    Process watched = program("");
    Process forgotten = program("");
    guard("?a", "+" + name(watched), "?b", "+" + name(forgotten), "-" + forgotten.pid());
    assertThat(watched.waitFor()).isEqualTo(137);
    assertThat(forgotten.isAlive()).isTrue();
  }

  @Test
  void killsNoLaterProcessWithTheSameNumber() throws Exception {
    Process later = program("");
    ProcessName name = name(later);
    guard("?a", "+" + new ProcessName(name.pid(), name.start() - 1, name.space()));
    assertThat(later.isAlive()).isTrue();
  }

  @Test
  void killsWhatHadBeenStartedButNotNamed() throws Exception {
    Process first = program("a");
    Process second = program("b");
    Process other = program("c");
    guard("?a", "+" + name(first), "?b");
    assertThat(first.waitFor()).isEqualTo(137);
    assertThat(second.waitFor()).isEqualTo(137);
    assertThat(other.isAlive()).isTrue();
  }

  @Test
  void killsNothingByAMarkWhoseProcessHasEnded() throws Exception {
    Process child = program("a"); // it was detached by the one that has ended
    guard("?a", "+");
    assertThat(child.isAlive()).isTrue();
  }

  private Process program(String mark) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "1000");
    builder.environment().put("NITINOL_GUARD", mark);
    Process program = builder.start();
    programs.add(program);
    while (!program.info().command().orElse("").endsWith("sleep") && program.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(10); // still the JDK's helper
    }
    return program;
  }

  private static ProcessName name(Process program) {
    return Objects.requireNonNull(ProcessName.of(program.pid()));
  }

  private static void guard(String... lines) throws Exception {
    String pipe = String.join("\n", lines) + "\n";
    WatchdogCommand.guard(new ByteArrayInputStream(pipe.getBytes(StandardCharsets.UTF_8)));
  }
}
