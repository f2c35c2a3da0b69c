// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.testing.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Some rounds, from another seed each time; {@code -Dnitinol.chaos.seed} repeats them. */
@Tag(Thorough.TAG)
class ChaosTest {
  private static final int ROUNDS = Thorough.ON ? 100 : 20;

  @Test
  @Timeout(1800)
  void noRoundBreaksARule() throws Exception {
    long seed = Long.getLong("nitinol.chaos.seed", System.nanoTime());
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int status =
        Chaos.run(
            new PrintStream(told, true, StandardCharsets.UTF_8),
            "--rounds",
            Integer.toString(ROUNDS),
            "--seed",
            Long.toString(seed));
    String text = told.toString(StandardCharsets.UTF_8);
    System.err.println(text);
    assertThat(text).doesNotContain("VIOLATION");
    assertThat(text.lines().filter(line -> line.matches("\\d+: seed .*"))).hasSize(ROUNDS);
    assertThat(status).isZero();
  }

  @Test
  void badOptionsAreNamed() {
    assertThatThrownBy(() -> Chaos.run(System.out, "--round"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--round needs a value");
    assertThatThrownBy(() -> Chaos.run(System.out, "--moon", "3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--moon");
    assertThatThrownBy(() -> Chaos.run(System.out, "--faults", "flood"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FLOOD");
  }
}
