// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The fuzzer finds known defects, which lie behind a magic number, from nothing. */
class FuzzerTest {
  private static final String PLANTED = "io.nitinol.planted.PlantedTarget";

  @Test
  void findsWhatIsBehindAMagicNumber() throws Exception {
    try (Watch watch = new Watch(60, () -> {})) {
      Fuzzer fuzzer = new Fuzzer("planted", PLANTED, 7, watch);
      fuzzer.begin();
      fuzzer.run(200_000);
      assertThat(fuzzer.findings())
          .extracting(finding -> finding.effect().getClass().getSimpleName())
          .containsExactlyInAnyOrder("ArrayIndexOutOfBoundsException", "TooMuchMemory");
      Finding first = fuzzer.findings().getFirst();
      Fuzzer again = new Fuzzer("planted", PLANTED, 8, watch);
      again.replay(List.of(first.input()));
      assertThat(again.findings()).hasSize(1);
      assertThat(Finding.place(again.findings().getFirst().effect()))
          .isEqualTo(Finding.place(first.effect()));
    }
  }

  @Test
  void keepsFewInputsThatReachTheSame() throws Exception {
    try (Watch watch = new Watch(60, () -> {})) {
      Fuzzer fuzzer = new Fuzzer("frames", 7, watch);
      fuzzer.begin();
      fuzzer.run(5_000);
      int[] reached = fuzzer.reached().values().iterator().next();
      List<byte[]> smallest = fuzzer.smallest();
      assertThat(smallest).hasSizeLessThan(reached[1]);
      Fuzzer again = new Fuzzer("frames", 8, watch);
      again.replay(List.of(new byte[] {5, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 9}));
      again.replay(smallest);
      assertThat(again.reached().values().iterator().next()).isEqualTo(reached);
    }
  }
}
