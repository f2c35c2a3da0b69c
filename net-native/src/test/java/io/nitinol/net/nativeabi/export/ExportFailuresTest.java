// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.junit.jupiter.api.Test;

class ExportFailuresTest {

  /** What leaves an upcall ends the process. */
  @Test
  void nothingLeavesAnUpcallWhenAFailureCannotBeTold() {
    assertThat(
            ExportFailures.tell(
                "isend",
                new IllegalStateException() {
                  @Override
                  public String getMessage() {
                    throw new OutOfMemoryError("no room for the message");
                  }
                }))
        .isEqualTo(ResultCode.INTERNAL_ERROR.code());
  }

  @Test
  void aTimeoutIsTheNearestThatAllVersionsKnow() {
    assertThat(ExportFailures.tell("connect", new NetException(ResultCode.TIMEOUT, "nobody came")))
        .isEqualTo(ResultCode.REMOTE_ERROR.code());
  }
}
