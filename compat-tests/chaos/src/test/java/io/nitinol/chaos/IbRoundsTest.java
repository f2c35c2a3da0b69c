// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.spi.testing.Thorough;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Some rounds over RDMA devices, in a guest, as {@link ChaosTest} chooses them. */
@Thorough
class IbRoundsTest {
  private static final int ROUNDS = 2;
  private static final long SEED = 19;

  @Test
  @Timeout(7200)
  void noRoundOverIbBreaksARule() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    int status = run(new PrintStream(told, true, StandardCharsets.UTF_8));
    String text = told.toString(StandardCharsets.UTF_8);
    System.err.println(text);
    assertThat(text).doesNotContain("VIOLATION");
    assertThat(text.lines().filter(line -> line.matches("\\d+: seed .*"))).hasSize(ROUNDS);
    assertThat(status).isZero();
  }

  private static int run(PrintStream out) throws Exception {
    try {
      return Chaos.run(
          out,
          "--carriers",
          "IB",
          "--faults",
          "STOP,ABORT,LEAVE,PLUGIN,CABLE_OUT",
          "--rounds",
          Integer.toString(ROUNDS),
          "--seed",
          Long.toString(Long.getLong("nitinol.chaos.seed", SEED)));
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      if (why.startsWith(Chaos.NOT_OVER_IB)) {
        System.err.println("IbRoundsTest: " + why);
        return abort(why);
      }
      throw e;
    }
  }
}
