// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.Main;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.launch.JvmCommand;
import java.io.BufferedReader;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A plugin of which a call never returns, and a run that is told to end. */
class StandstillTest {
  private static final String HANGS = "listen\\(device \\d+\\) has not returned after \\d+ ms";

  @TempDir private Path directory;

  @Test
  void theCallIsNamedWithItsStackAndAFreshProcessGoesOn() throws Exception {
    Process tck = tck("--rule", "NET-DEV-03,NET-CONN-01,NET-CONN-03", "--patience", "1");
    try (BufferedReader out = tck.inputReader(StandardCharsets.UTF_8)) {
      String text = out.readAllAsString();
      assertThat(text)
          .containsPattern("NET-CONN-01 +FAILED.*" + HANGS)
          .contains("thread tck-NET-CONN-01 stands in")
          .containsPattern("at .*HangingNet.listen\\(HangingNet.java:\\d+\\)");
      assertThat(tck.waitFor()).as(text).isEqualTo(ExitStatus.RULE_BROKEN);
    } finally {
      tck.destroyForcibly();
    }
    assertThat(Files.readAllLines(directory.resolve("processes")).stream().distinct().count())
        .as("processes, of which each that had a stuck call left the rest to another")
        .isGreaterThan(1);
    assertThat(Files.readString(directory.resolve("err")))
        .as("told when it happened, and once")
        .containsOnlyOnce("NET-CONN-01 is broken: listen")
        .as("a process that has left the rest to another is no crash")
        .doesNotContain("nitinol tck: in ");
  }

  @Test
  void whatIsKnownIsInTheReportsOfARunThatIsToldToEnd() throws Exception {
    Path json = directory.resolve("tck.json");
    Process tck = tck("--patience", "1", "--json", json.toString());
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
      while (!Files.readString(directory.resolve("err")).contains("NET-CONN-01 is broken")) {
        assertThat(tck.isAlive() && System.nanoTime() - end < 0).as("waiting for it").isTrue();
        Thread.onSpinWait();
      }
      tck.toHandle().destroy(); // unlike destroy() of the process, it leaves the pipe open
      try (BufferedReader out = tck.inputReader(StandardCharsets.UTF_8)) {
        assertThat(out.readAllAsString())
            .containsPattern("NET-CONN-01 is broken: ")
            .containsPattern("ended after \\d+ of \\d+ tests: Hanging BREAKS the contract");
      }
      assertThat(tck.waitFor()).isEqualTo(ExitStatus.TERMINATED);
    } finally {
      tck.destroyForcibly();
    }
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    assertThat(root.get("complete").asBoolean()).isFalse();
    assertThat(root.get("conforms").asBoolean()).isFalse();
    assertThat(root.get("rules").toString()).contains("NET-CONN-01");
  }

  private Process tck(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("tck", plugin().toString()));
    arguments.addAll(List.of(options));
    Path err = Files.createFile(directory.resolve("err"));
    ProcessBuilder builder =
        new ProcessBuilder(JvmCommand.ofThisProcess().withoutAgents().run(Main.class, arguments))
            .redirectError(err.toFile());
    builder.environment().put(HangingNet.PROCESSES, directory.resolve("processes").toString());
    return builder.start();
  }

  private Path plugin() throws Exception {
    Path classes = directory.resolve("plugin");
    String file = HangingNet.class.getName().replace('.', '/') + ".class";
    Files.createDirectories(classes.resolve(file).getParent());
    try (InputStream in = HangingNet.class.getClassLoader().getResourceAsStream(file)) {
      Files.copy(Objects.requireNonNull(in), classes.resolve(file));
    }
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(
        services.resolve("io.nitinol.spi.net.v6.Net"), HangingNet.class.getName() + "\n");
    return classes;
  }
}
