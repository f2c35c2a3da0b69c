// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.Main;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.launch.JvmCommand;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlyEndTest {
  @TempDir private Path directory;

  @Test
  void aPluginThatEndsTheProcessDoesNotPass() throws Exception {
    assertThat(tck("--in-process", "--rule", "NET-CONN-01")).isEqualTo(ExitStatus.RULE_BROKEN);
    assertThat(Files.readString(err()))
        .containsPattern(
            "Quitting breaks NET-ERR-01: init\\(\\) ended the process: System.exit was"
                + " called by .*QuittingNet.init\\(QuittingNet.java:\\d+\\)")
        .containsPattern("no verdict: \\d+ of \\d+ tests were run until then");
  }

  @Test
  void aSecondProcessOutlivesIt() throws Exception {
    int status = tck("--rule", "NET-CONN-01", "--seed", "5");
    assertThat(status).isEqualTo(ExitStatus.RULE_BROKEN);
    assertThat(Files.readString(directory.resolve("out")))
        .contains("Quitting from ", "NET-ERR-01 is broken: ")
        .containsPattern("seen in +\\w+ on net v6: init\\(\\) ended the process: System.exit was")
        .containsPattern("NET-CONN-01 +blocked")
        .containsPattern(
            "Quitting BREAKS the contract: 0 rules kept, 1 broken, 1 blocked.* seed 5,");
  }

  private Path err() {
    return directory.resolve("err");
  }

  private int tck(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("tck", plugin().toString()));
    arguments.addAll(List.of(options));
    Process tck =
        new ProcessBuilder(JvmCommand.ofThisProcess().withoutAgents().run(Main.class, arguments))
            .redirectOutput(directory.resolve("out").toFile())
            .redirectError(err().toFile())
            .start();
    try {
      assertThat(tck.waitFor(240, TimeUnit.SECONDS)).isTrue();
      return tck.exitValue();
    } finally {
      tck.destroyForcibly();
    }
  }

  private Path plugin() throws Exception {
    Path classes = directory.resolve("plugin");
    String file = QuittingNet.class.getName().replace('.', '/') + ".class";
    Files.createDirectories(classes.resolve(file).getParent());
    try (InputStream in = QuittingNet.class.getClassLoader().getResourceAsStream(file)) {
      Files.copy(Objects.requireNonNull(in), classes.resolve(file));
    }
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.writeString(
        services.resolve("io.nitinol.spi.net.v6.Net"), QuittingNet.class.getName() + "\n");
    return classes;
  }
}
