// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.junit.jupiter.api.Test;

class FailuresTest {

  /** What leaves an upcall ends the process. */
  @Test
  void nothingLeavesAnUpcallWhenAFailureCannotBeTold() {
    assertThat(
            Failures.tell(
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
    assertThat(Failures.tell("connect", new NetException(ResultCode.TIMEOUT, "nobody came")))
        .isEqualTo(ResultCode.REMOTE_ERROR.code());
  }
}
