// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of the system. */
final class Command {
  private Command() {}

  /** Runs it; returns what it prints, and demands that it succeeds. */
  static String run(String... words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s: %s", List.of(words), output).isZero();
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(String.join(" ", words), e);
    }
  }
}
