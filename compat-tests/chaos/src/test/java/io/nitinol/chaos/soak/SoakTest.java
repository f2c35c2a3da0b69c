// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SoakTest {
  /** Some seconds show that it runs and what it prints, and not whether anything grows. */
  @Thorough
  @Test
  @Timeout(600)
  void aShortOneIsJudged() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    Soak.run(
        new PrintStream(told, true, StandardCharsets.UTF_8),
        "--minutes",
        "0.4",
        "--threads",
        "3",
        "--processes",
        "2");
    String text = told.toString(StandardCharsets.UTF_8);
    System.err.println(text);
    for (String process : new String[] {"3 threads", "rank 0 of 2", "rank 1 of 2"}) {
      assertThat(text.lines().filter(line -> line.startsWith(process + " ")))
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(text).contains(process + ": ");
    }
    assertThat(text)
        .contains("all closed")
        .doesNotContain("failed")
        .containsPattern("(?m)^(nothing grew|NOT FLAT)$");
  }

  @Test
  void badOptionsAreNamed() {
    assertThatThrownBy(() -> Soak.run(System.out, "--moon", "3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--moon");
    assertThatThrownBy(() -> Soak.run(System.out, "--minutes"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--minutes needs a value");
  }
}
