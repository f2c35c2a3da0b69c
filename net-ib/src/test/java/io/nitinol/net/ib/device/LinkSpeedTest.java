// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkSpeedTest {

  @ParameterizedTest(name = "rate {0} width {1}: {2} Mb/s")
  @CsvSource({
    "1, 1, 2500", // what rxe reports
    "1, 2, 10000",
    "2, 2, 20000",
    "4, 2, 40000",
    "8, 2, 40000",
    "16, 2, 56000",
    "32, 2, 100000",
    "64, 2, 200000",
    "128, 2, 400000",
    "256, 2, 800000",
    "32, 1, 25000",
    "64, 16, 100000",
    "16, 8, 168000",
    "1, 4, 20000",
  })
  void speedOfEveryCode(int rate, int width, int expected) {
    assertThat(LinkSpeed.of(rate, width)).isEqualTo(expected);
  }

  @Test
  void unknownCodesAreTheNewestLane() {
    assertThat(LinkSpeed.lane(512)).isZero();
    assertThat(LinkSpeed.lanes(32)).isZero();
    assertThat(LinkSpeed.of(512, 2)).isEqualTo(800_000);
    assertThat(LinkSpeed.of(32, 32)).isEqualTo(25_000);
    assertThat(LinkSpeed.of(0, 0)).isPositive();
  }
}
