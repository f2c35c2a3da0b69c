// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.samples.cuda.ffi.params_h;
import io.nitinol.spi.device.v1.DeviceException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CudaTeamLayoutTest {

  @Test
  void aStageHasRoomForTheSlotsOfABlock() {
    assertThatThrownBy(() -> new TeamSizes(48, 36864, 8192, 4096, 32, TeamSizes.LEAST_STAGE - 16))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("240");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16})
  void partsDoNotOverlap(int ranks) {
    TeamSizes sizes = new TeamSizes(48, 36864, 8192, 4096, 32, 256);
    CudaTeamLayout layout = new CudaTeamLayout(ranks, sizes);
    TreeMap<Long, Long> parts = new TreeMap<>();
    parts.put(layout.control(), (long) params_h.NITINOL_CONTROL_BYTES());
    parts.put(layout.lines(), 2L * ranks * sizes.slot());
    parts.put(layout.longLines(), 2L * ranks * layout.longSlot());
    assertThat(layout.longest()).as("data of a slot").isEqualTo(layout.longSlot() / 16 * 15);
    parts.put(layout.stageIn(), sizes.stage());
    parts.put(layout.stageOut(), sizes.stage());
    parts.put(layout.scratch(), sizes.scratch());
    for (int r = 0; r < ranks; r++) {
      parts.put(layout.pairControl(r), (long) params_h.NITINOL_CONTROL_BYTES());
      parts.put(layout.pairLines(r), 4 * sizes.pairSlot());
      parts.put(layout.pairStage(r), sizes.pairStage());
      assertThat(layout.pairLines(r) + 4 * sizes.pairSlot())
          .as("what is zeroed")
          .isLessThanOrEqualTo(layout.zeroed());
    }
    assertThat(parts).hasSize(6 + 3 * ranks);
    long end = 0;
    for (Map.Entry<Long, Long> part : parts.entrySet()) {
      assertThat(part.getKey()).isGreaterThanOrEqualTo(end);
      assertThat(part.getKey() % 256).isZero();
      end = part.getKey() + part.getValue();
    }
    assertThat(end).isEqualTo(layout.size());
  }
}
