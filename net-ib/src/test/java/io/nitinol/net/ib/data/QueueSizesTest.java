// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueSizesTest {
  private static final int PLENTY = 1 << 20;

  /** As an mlx5 has it. */
  private static final int REQUESTS = 32_768;

  private static QueueSizes receiving(Stripes stripes, int ports, int requests, int completions) {
    return QueueSizes.receiving(stripes, ports, true, 64, requests, completions);
  }

  /** Each receive may have eight pieces, of which each has its data, and then a last write. */
  @ParameterizedTest
  @CsvSource({"1, 1, 288", "4, 1, 72", "4, 4, 288", "3, 2, 198", "128, 128, 288"})
  void aSenderHasRoomForEveryReceive(int lanes, int width, int sends) {
    QueueSizes sizes = QueueSizes.sending(new Stripes(lanes, width), 64, REQUESTS, PLENTY);
    for (int lane = 0; lane < lanes; lane++) {
      assertThat(sizes.sends(lane)).isEqualTo(sends);
    }
    assertThat(sizes.receives()).as("a queue of none is more than some take").isEqualTo(1);
    assertThat(sizes.others()).isZero();
    assertThat(sizes.inlineBytes()).isEqualTo(64);
  }

  /** A sender waits for room, so that it goes with less; the completion queue decides. */
  @ParameterizedTest
  @CsvSource({"1, 100, 1000, 100", "1, 1000, 100, 99", "4, 1000, 100, 24", "128, 1000, 640, 4"})
  void aSenderMakesDoWithWhatThereIs(int lanes, int requests, int completions, int sends) {
    QueueSizes sizes = QueueSizes.sending(new Stripes(lanes, lanes), 0, requests, completions);
    assertThat(sizes.sends(0)).isEqualTo(sends);
    int entries = lanes * (sizes.sends(0) + sizes.receives());
    assertThat(entries).as("entries of the completion queue").isLessThanOrEqualTo(completions);
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 1000", "128, 1000, 639", "1, 1000, 4"})
  void aSenderForWhichThereIsTooLittle(int lanes, int requests, int completions) {
    assertThatThrownBy(
            () -> QueueSizes.sending(new Stripes(lanes, lanes), 0, requests, completions))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContainingAll(
            lanes + " queue pairs",
            requests + " requests",
            completions + " completions",
            "NCCL_IB_QPS_PER_CONNECTION");
  }

  /** A receive is posted before its message is asked for: there is no doing with less. */
  @ParameterizedTest
  @CsvSource({"1, 1, 1, 32", "4, 1, 1, 8", "4, 4, 1, 32", "4, 2, 2, 16"})
  void aReceiverHoldsAllReceives(int lanes, int width, int ports, int receives) {
    QueueSizes sizes = receiving(new Stripes(lanes, width), ports, REQUESTS, PLENTY);
    assertThat(sizes.receives()).isEqualTo(receives);
    for (int lane = 0; lane < lanes; lane++) {
      // Twice the receives: requests of which no completion has come count, too.
      assertThat(sizes.sends(lane)).isEqualTo(lane < ports ? 2 * IbSlots.COUNT : 1);
    }
    assertThat(sizes.others()).isEqualTo(ports * (IbSlots.FLUSHES + 1));
    assertThat(sizes.inlineBytes()).isEqualTo(64);
  }

  @Test
  void withoutFlushesThereIsNoRoomForThem() {
    Stripes stripes = new Stripes(1, 1);
    assertThat(QueueSizes.receiving(stripes, 1, false, 0, REQUESTS, PLENTY).others()).isZero();
  }

  @Test
  void aReceiverIsRefusedWhereItsCompletionsDoNotFit() {
    Stripes stripes = new Stripes(4, 4);
    QueueSizes sizes = receiving(stripes, 1, REQUESTS, PLENTY);
    int entries = sizes.others();
    for (int lane = 0; lane < 4; lane++) {
      entries += sizes.sends(lane) + sizes.receives();
    }
    assertThat(receiving(stripes, 1, REQUESTS, entries)).isEqualTo(sizes);
    int oneLess = entries - 1;
    assertThatThrownBy(() -> receiving(stripes, 1, REQUESTS, oneLess))
        .hasMessageContainingAll("4 queue pairs", oneLess + " completions");
    assertThatThrownBy(() -> receiving(stripes, 1, IbSlots.COUNT - 1, PLENTY))
        .hasMessageContaining("31 requests");
    assertThat(receiving(stripes, 1, IbSlots.COUNT, PLENTY).sends(0)).isEqualTo(IbSlots.COUNT);
  }
}
