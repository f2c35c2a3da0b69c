// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expectations about failures. */
public final class Failures {
  private Failures() {}

  public static void assertFails(ResultCode result, ThrowingCallable call, String... named) {
    NetException failure = catchThrowableOfType(NetException.class, call);
    assertThat(failure).as("failure with " + result).isNotNull();
    assertThat(failure.result()).as(failure.getMessage()).isEqualTo(result);
    for (String each : named) {
      assertThat(failure.getMessage()).contains(each);
    }
  }

  /** Repeats {@code call} until it fails. */
  public static NetException awaitFailure(Runnable call) {
    return Await.nonNull(
        "failure",
        () -> {
          try {
            call.run();
            return null;
          } catch (NetException e) {
            return e;
          }
        });
  }
}
