// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What another rank's words look like in a message here. */
class PeerWordsTest {
  private static final String SENT = "no\nroom\u001b[31m on \u2028 it";
  private static final String SHOWN = "no?room?[31m on ? it";

  @Test
  void aProblemOfAnotherRankIsShownAsOneLineOfAscii() {
    byte[] sent = new DevicePlacement(0, "none", "none", false, false, List.of(), SENT).toBytes();
    DevicePlacement heard = DevicePlacement.fromBytes(1, sent);
    assertThat(heard.problem()).isEqualTo(SHOWN);
    assertThatThrownBy(() -> DevicePlacement.requireAgreement(List.of(heard)))
        .hasMessage("rank 0 cannot use its device: " + SHOWN);
  }

  @Test
  void howAnotherRankFailedToJoinIsShownAsOneLineOfAscii() {
    byte[] sent = JoinOutcome.of(new DeviceException(DeviceFailure.OUT_OF_MEMORY, SENT)).toBytes();
    JoinOutcome heard = JoinOutcome.worst(new byte[][] {sent});
    assertThat(heard.message()).isEqualTo(SHOWN);
    assertThat(heard.toException("fake", null)).hasMessageContaining(": " + SHOWN + " (");
  }
}
