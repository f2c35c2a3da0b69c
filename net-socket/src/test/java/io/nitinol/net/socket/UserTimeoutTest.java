// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Failures;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link SocketVariables#USER_TIMEOUT_MSEC} and a peer that does not receive. */
class UserTimeoutTest {

  @BeforeEach
  void requireNativeAccess() {
    String missing = SocketCalls.missing();
    if (missing != null) {
      System.err.println("UserTimeoutTest: " + missing);
    }
    assumeTrue(missing == null, missing);
  }

  private static Loopback pair(String variable, String millis) {
    return new Loopback(
            variable,
            "1",
            "NITINOL_SOCKET_USER_TIMEOUT_MSEC",
            millis,
            // Small, so that little is sent before the peer's room is used up.
            "NCCL_SOCKET_RCVBUF",
            "65536")
        .connected();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NITINOL_SOCKET_NATIVE", "NITINOL_SOCKET_TLS"})
  void endsAConnectionWhosePeerHasNoRoomForAsLong(String variable) {
    try (Loopback pair = pair(variable, "500")) {
      MemoryHandle memory = pair.register(pair.send, pair.arena.allocate(64 << 20));
      Request sending = pair.net.isend(pair.send, memory, 0, 64 << 20, 0);
      NetException failure = Failures.awaitFailure(() -> pair.net.test(sending, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("timed out");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NITINOL_SOCKET_NATIVE", "NITINOL_SOCKET_TLS"})
  void leavesThemToTheKernelAsARule(String variable) {
    try (Loopback pair = pair(variable, "0")) {
      MemoryHandle memory = pair.register(pair.send, pair.arena.allocate(64 << 20));
      Request sending = pair.net.isend(pair.send, memory, 0, 64 << 20, 0);
      long start = System.nanoTime();
      while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2500)) {
        assertThat(pair.net.test(sending, null)).isFalse();
        Thread.onSpinWait();
      }
    }
  }
}
