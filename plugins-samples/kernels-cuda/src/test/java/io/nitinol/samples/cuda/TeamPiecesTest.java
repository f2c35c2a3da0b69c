// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TeamPiecesTest {
  private static final long MIB = 1 << 20;

  /** The last threads of a block would have nothing to do in a part of a turn. */
  @ParameterizedTest
  @CsvSource({"1, 124", "4, 124", "16, 124", "64, 124", "256, 124", "16, 60", "1024, 124"})
  void slicesOfARingKeepAllThreadsBusy(long mib, int grid) {
    long turn = 2L * 16 * LaunchArguments.THREADS;
    long slice = TeamPieces.slice(mib * MIB, grid);
    long chain = TeamPieces.chainSlice(mib * MIB, grid);
    assertThat(slice % turn).isZero();
    assertThat(chain % turn).isZero();
    assertThat(chain).isBetween(turn, slice);
  }

  @ParameterizedTest
  @CsvSource({"7, 0", "16, 16", "9021, 9008", "16383, 16368", "16384, 16384", "46000, 32768"})
  void aSliceHasWholeTurnsAsFarAsThereIsRoom(long room, long slice) {
    assertThat(TeamPieces.turns(room)).isEqualTo(slice);
  }
}
