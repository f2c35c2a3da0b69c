// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queue pair an entry of the table travels on. */
class ClearToSendTest {
  /** On two of them the older of two writes to one place could come last, and stay. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenToOnePlaceArrivesInOrder(int lanes) {
    int[] carried = new int[lanes];
    for (long receive = 0; receive < IbSlots.COUNT; receive++) {
      int lane = ClearToSend.lane(receive, lanes);
      carried[lane]++;
      for (long later = receive; later < 20L * IbSlots.COUNT; later += IbSlots.COUNT) {
        for (int pieces = 1; pieces <= IbSlots.PIECES; pieces++) {
          assertThat(ClearToSend.offset(later, pieces))
              .isEqualTo(ClearToSend.offset(receive, pieces));
        }
        assertThat(ClearToSend.lane(later, lanes)).as("queue pair of %s", later).isEqualTo(lane);
      }
    }
    int most = (IbSlots.COUNT + lanes - 1) / lanes;
    assertThat(Arrays.stream(carried).boxed())
        .as("fair shares")
        .allMatch(n -> n >= most - 1 && n <= most);
  }
}
