// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

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
    return Await.nonNull("failure", () -> failureOf(call));
  }

  /** Repeats two calls in turn, each until it fails; the other has to get on meanwhile. */
  public static NetException[] awaitBothFailures(Runnable one, Runnable other) {
    NetException[] failures = new NetException[2];
    Await.until(
        "failures of both",
        () -> {
          failures[0] = failures[0] == null ? failureOf(one) : failures[0];
          failures[1] = failures[1] == null ? failureOf(other) : failures[1];
          return failures[0] != null && failures[1] != null;
        });
    return failures;
  }

  /** Makes a call, and returns its failure or null. */
  public static @Nullable NetException failureOf(Runnable call) {
    try {
      call.run();
      return null;
    } catch (NetException e) {
      return e;
    }
  }
}
