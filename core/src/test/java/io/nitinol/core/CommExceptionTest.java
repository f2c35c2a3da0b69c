// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.spi.ResultCode;
import org.junit.jupiter.api.Test;

class CommExceptionTest {
  @Test
  void printsItsCodeAndTheRankWhereItBegan() {
    assertThat(new CommException(ResultCode.REMOTE_ERROR, 2, "rank 2 has left", null))
        .hasToString("io.nitinol.core.CommException: REMOTE_ERROR, rank 2: rank 2 has left")
        .hasMessage("rank 2 has left");
    assertThat(new BootstrapException(ResultCode.TIMEOUT, "nobody came"))
        .hasToString("io.nitinol.core.bootstrap.BootstrapException: TIMEOUT: nobody came");
  }
}
