// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.ExitStatus;
import io.nitinol.cli.Main;
import io.nitinol.core.launch.JvmCommand;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EarlyEndTest {
  @TempDir private Path directory;

  @Test
  void aPluginThatEndsTheProcessDoesNotPass() throws Exception {
    Path err = directory.resolve("err");
    Process tck =
        new ProcessBuilder(
                JvmCommand.ofThisProcess()
                    .withoutAgents()
                    .run(Main.class, List.of("tck", plugin().toString(), "--rule", "NET-CONN-01")))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(tck.waitFor(45, TimeUnit.SECONDS)).isTrue();
    } finally {
      tck.destroyForcibly();
    }
    assertThat(Files.readString(err))
        .containsPattern(
            "Quitting breaks NET-ERR-01: init\\(\\) ended the process: System.exit was"
                + " called by .*QuittingNet.init\\(QuittingNet.java:\\d+\\)")
        .containsPattern("no verdict: \\d+ of \\d+ tests were run until then");
    assertThat(tck.exitValue()).isEqualTo(ExitStatus.RULE_BROKEN);
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
