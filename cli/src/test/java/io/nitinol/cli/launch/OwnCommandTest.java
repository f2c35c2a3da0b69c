// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.cli.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnCommandTest {
  private static final List<String> NEW = List.of("perf", "all_reduce");

  @Test
  void keepsTheOptionsOfAModule() {
    assertThat(
            OwnCommand.replaceArguments(
                "/j/bin/java",
                List.of(
                    "java",
                    "-Xmx1g",
                    "--module-path",
                    "app",
                    "-m",
                    "io.nitinol.cli/io.nitinol.cli.Main",
                    "env"),
                NEW))
        .containsExactly(
            "/j/bin/java",
            "-Xmx1g",
            "--module-path",
            "app",
            "-m",
            "io.nitinol.cli/io.nitinol.cli.Main",
            "perf",
            "all_reduce");
  }

  @Test
  void keepsTheClassPath() {
    assertThat(
            OwnCommand.replaceArguments(
                "/j/bin/java", List.of("java", "-cp", "a:b", "io.nitinol.cli.Main"), NEW))
        .containsExactly("/j/bin/java", "-cp", "a:b", "io.nitinol.cli.Main", "perf", "all_reduce");
  }

  @Test
  void doesNotStartOtherPrograms() {
    assertThatThrownBy(
            () -> OwnCommand.replaceArguments("/j/bin/java", List.of("java", "-jar", "x"), NEW))
        .isInstanceOf(Failure.class);
  }
}
