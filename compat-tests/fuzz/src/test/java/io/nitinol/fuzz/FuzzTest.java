// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every parser gets what has reached something before, and some inputs that are new. */
@Tag(Thorough.TAG) // with more inputs
@Timeout(900)
class FuzzTest {
  private static final long SEED = Long.getLong("nitinol.fuzz.seed", System.nanoTime());
  private static final long INPUTS = Thorough.ON ? 200_000 : 20_000;

  private final Watch watch = new Watch(60, () -> {});

  static List<String> targets() {
    return Targets.names();
  }

  @AfterEach
  void endWatch() {
    watch.close();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void acceptsOrRefuses(String target) throws Exception {
    Fuzzer fuzzer = new Fuzzer(target, SEED, watch);
    fuzzer.begin();
    fuzzer.run(Targets.share(target, INPUTS));
    System.err.println(fuzzer.figures() + "; seed " + SEED);
    assertThat(fuzzer.findings()).as("findings with seed %d", SEED).isEmpty();
    fuzzer
        .reached()
        .forEach((parser, counts) ->
            assertThat(counts[0]).as("branches of %s that were reached", parser).isPositive());
  }
}
