// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.net.socket.ffi.SocketCalls;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link SocketVariables#NOTSENT_BYTES} and a peer that has not posted a receive yet. */
class NotSentTest {
  /** More than the bound lets four sockets take, and less than they take without. */
  private static final int LENGTH = 2 << 20;

  @BeforeEach
  void requireNativeAccess() {
    String missing = SocketCalls.missing();
    if (missing != null) {
      System.err.println("NotSentTest: " + missing);
    }
    assumeTrue(missing == null, missing);
  }

  private static Loopback pair(String notSent, String variable, String value) {
    return new Loopback(
            "NITINOL_SOCKET_NOTSENT_BYTES",
            notSent,
            variable,
            value,
            "NCCL_SOCKET_NTHREADS",
            "1",
            "NCCL_NSOCKS_PERTHREAD",
            "4",
            // Small, so that bytes that are not received stay with the sender.
            "NCCL_SOCKET_RCVBUF",
            "65536")
        .connected();
  }

  @ParameterizedTest
  @CsvSource({"NITINOL_SOCKET_NATIVE,1", "NITINOL_SOCKET_NATIVE,0", "NITINOL_SOCKET_TLS,1"})
  void keepsWhatCannotBeSentFromTheKernel(String variable, String value) {
    try (Loopback pair = pair("131072", variable, value)) {
      MemorySegment out = pair.random(LENGTH, 1);
      MemorySegment in = pair.arena.allocate(LENGTH);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request sending = pair.net.isend(pair.send, outMr, 0, LENGTH, 0);
      long start = System.nanoTime();
      while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(500)) {
        assertThat(pair.net.test(sending, null)).isFalse();
        Thread.onSpinWait();
      }
      assertThat(pair.complete(sending, pair.irecv(inMr, 0, LENGTH))).isEqualTo(LENGTH);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @CsvSource({"NITINOL_SOCKET_NATIVE,1", "NITINOL_SOCKET_NATIVE,0", "NITINOL_SOCKET_TLS,1"})
  void leavesItToTheKernelWhenSwitchedOff(String variable, String value) {
    try (Loopback pair = pair("0", variable, value)) {
      MemoryHandle memory = pair.register(pair.send, pair.arena.allocate(LENGTH));
      Request sending = pair.net.isend(pair.send, memory, 0, LENGTH, 0);
      Await.until("the kernel has it all", () -> pair.net.test(sending, null));
    }
  }
}
