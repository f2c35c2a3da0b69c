// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BootstrapTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 64})
  void ranksMeetAndGather(int n) {
    Ranks.Lines log = new Ranks.Lines();
    long begin = System.nanoTime();
    List<Bootstrap> ranks = Ranks.connect(n, Ranks.settings(20), log);
    long met = System.nanoTime();
    List<byte[][]> all =
        Ranks.onEach(n, r -> () -> ranks.get(r).allGather(text("rank " + r + " says " + r * r)));
    long gathered = System.nanoTime();
    Ranks.onEach(
        n,
        r ->
            () -> {
              ranks.get(r).barrier(7);
              return true;
            });
    long barrier = System.nanoTime();
    Ranks.close(ranks);
    long closed = System.nanoTime();
    System.err.printf(
        "%d ranks: met %d ms, gather %d, barrier %d, close %d%n",
        n, ms(begin, met), ms(met, gathered), ms(gathered, barrier), ms(barrier, closed));
    for (byte[][] each : all) {
      assertThat(each.length).isEqualTo(n);
      for (int r = 0; r < n; r++) {
        assertThat(each[r]).asString().isEqualTo("rank " + r + " says " + r * r);
      }
    }
    assertThat(log.warnings()).isEmpty();
  }

  private static long ms(long from, long to) {
    return TimeUnit.NANOSECONDS.toMillis(to - from);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
