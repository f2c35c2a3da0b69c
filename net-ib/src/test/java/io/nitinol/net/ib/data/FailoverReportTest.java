// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailoverReportTest {
  private static final FailoverReport SAID =
      new FailoverReport(200, 0x0201L, Long.MAX_VALUE, 0x8000_0001);

  @Test
  void whatIsSaidIsHeard() throws Exception {
    assertThat(FailoverReport.decode(SAID.encode())).isEqualTo(SAID);
    SAID.check(200, 0x0201L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 23, 25})
  void anotherLengthIsRefused(int length) {
    assertThatThrownBy(() -> FailoverReport.decode(ByteBuffer.allocate(length)))
        .isInstanceOf(FrameException.class)
        .hasMessage("a standing of " + length + " bytes");
  }

  @Test
  void otherQueuePairsAreRefused() {
    assertThatThrownBy(() -> SAID.check(199, 0x0201L))
        .isInstanceOf(FrameException.class)
        .hasMessage("generation 200, expected 199");
  }

  @Test
  void pathsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> SAID.check(200, 0x0101L))
        .isInstanceOf(FrameException.class)
        .hasMessage("paths that are none: 0x200");
  }
}
