// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many blocks and threads have lines; launches of 512 threads do not overlap. */
class LinesLaunchTest {

  @ParameterizedTest
  @CsvSource({
    "false, 8, 128, 1, 128",
    "false, 1024, 128, 1, 128",
    "false, 1025, 128, 2, 128",
    "false, 65536, 128, 64, 128",
    "false, 131072, 128, 128, 128",
    "false, 131073, 128, 33, 512",
    "false, 524288, 16, 16, 512",
    "true, 480, 128, 1, 256",
    "true, 3840, 128, 1, 256",
    "true, 3841, 128, 2, 256",
    "true, 262144, 128, 69, 256",
    "true, 491520, 128, 128, 256",
    "true, 491521, 128, 65, 512",
    "true, 4194304, 128, 128, 512",
    "true, 4194304, 1, 1, 512",
  })
  void threadsAreFewWhereBlocksAreEnough(
      boolean longLines, long bytes, int blocks, int grid, int threads) {
    assertThat(LinesLaunch.grid(longLines, bytes, blocks)).isEqualTo(grid);
    assertThat(LinesLaunch.threads(longLines, bytes, blocks)).isEqualTo(threads);
  }
}
