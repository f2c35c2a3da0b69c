// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KitPatienceTest {
  @ParameterizedTest
  @CsvSource({"10, 90", "40, 360", "2, 90"})
  void morePatienceThanUsualLengthensTheLimitsAndLessKeepsThem(long seconds, long limit) {
    assertThat(new KitPatience(TimeUnit.SECONDS.toNanos(seconds)).scaled(90)).isEqualTo(limit);
  }

  @Test
  void aDisappointmentShortensTheWaitsButNotTheLimits() {
    KitPatience patience = new KitPatience(TimeUnit.SECONDS.toNanos(40));
    patience.disappointed();
    assertThat(patience.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(8));
    assertThat(patience.scaled(90)).isEqualTo(360);
  }
}
