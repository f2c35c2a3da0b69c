// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.session.KitPatience;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CloseBoundTest {
  /** With 52 s of patience, as on a crowded machine, a close that lingers for 10 s is too long. */
  @ParameterizedTest
  @CsvSource({"2, 5000", "10, 5000", "12, 6000", "52, 7500", "120, 7500"})
  void growsLittleWithThePatience(long seconds, long millis) {
    KitPatience patience = new KitPatience(TimeUnit.SECONDS.toNanos(seconds));
    assertThat(CloseBound.limit(patience)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
