// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import org.junit.jupiter.api.Test;

/** What ranks are told that differ. */
class OperationTest {
  private static long word(int past) {
    return MessageHeader.word(
        7,
        Collective.ALL_REDUCE.code(),
        DataType.FLOAT32.code(),
        ReductionOp.SUM.code(),
        0,
        0,
        past);
  }

  @Test
  void rootsAreNamedOnlyWhereTheyDiffer() {
    assertThat(Operation.describeDifference(0, word(1), 2, 1, word(2), 2))
        .isEqualTo("ranks 1 and 0 named different roots in an operation before this one");
  }

  /** The header is as it should be, so only the size can be wrong, which the network tells. */
  @Test
  void aSizeThatTheNetworkGotWrongIsNotTheApplicationsFault() {
    assertThat(Operation.describeDifference(0, word(1), 2, 1, word(1), 2))
        .doesNotContain("root")
        .contains("the network plugin", "NITINOL_VALIDATE=1");
  }
}
