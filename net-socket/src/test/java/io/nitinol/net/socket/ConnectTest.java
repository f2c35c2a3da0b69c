// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.assertFails;
import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How connections come about, and how they do not. */
class ConnectTest {

  @Test
  void acceptWithNobodyThereReturnsNull() {
    try (Loopback pair = new Loopback().listening()) {
      for (int i = 0; i < 100; i++) {
        assertThat(pair.net.accept(pair.listener)).isNull();
      }
    }
  }

  @Test
  void connectWaitsForAcceptWithoutBlocking() {
    try (Loopback pair = new Loopback().listening()) {
      for (int i = 0; i < 100; i++) {
        assertThat(pair.net.connect(0, pair.handle)).isNull();
      }
      pair.connect();
    }
  }

  @Test
  void withNobodyInAcceptConnectFailsInTimeAndSaysWhy() {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_CONNECT_MSEC", "200").listening()) {
      NetException failure =
          awaitFailure(() -> {
            assertThat(pair.net.connect(0, pair.handle)).isNull();
          });
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("within 200 ms (NITINOL_SOCKET_CONNECT_MSEC)")
          .hasMessageContaining("the listener does not answer");
      assertThat(pair.net.connectsUnderWay()).isZero();
    }
  }

  @Test
  void connectToNobodyNeverWaitsAndFailsAfterTheRetries() {
    try (Loopback pair =
        new Loopback("NCCL_SOCKET_RETRY_CNT", "3", "NCCL_SOCKET_RETRY_SLEEP_MSEC", "20")
            .listening()) {
      pair.net.closeListen(pair.listener);
      pair.listener = null;
      long start = System.nanoTime();
      int[] calls = new int[1];
      NetException failure =
          awaitFailure(() -> {
            calls[0]++;
            assertThat(pair.net.connect(0, pair.handle)).isNull();
          });
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("127.0.0.1:")
          .hasMessageContaining("device 0 (lo)")
          .hasMessageContaining("4 tries")
          .hasMessageContaining("NCCL_SOCKET_RETRY_CNT");
      // Pauses of 20, 40 and 60 ms, which passed between calls and not within them.
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000L);
      assertThat(calls[0]).isGreaterThan(4);
      assertThat(pair.net.connectsUnderWay()).isZero();
    }
  }

  @Test
  void manyConnectionsFromCopiesOfOneHandle() {
    try (Loopback pair = new Loopback().listening()) {
      int count = 20;
      List<MemorySegment> copies = new ArrayList<>();
      List<SendComm> sends = new ArrayList<>();
      List<RecvComm> receives = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        copies.add(pair.handle().copyFrom(pair.handle));
      }
      Await.until(
          "all connections",
          () -> {
            copies.removeIf(copy -> {
              SendComm comm = pair.net.connect(0, copy);
              return comm != null && sends.add(comm);
            });
            RecvComm comm = pair.net.accept(pair.listener);
            if (comm != null) {
              receives.add(comm);
            }
            return sends.size() == count && receives.size() == count;
          });
      assertThat(sends).doesNotHaveDuplicates();
      assertThat(receives).doesNotHaveDuplicates();
      sends.forEach(pair.net::closeSend);
      receives.forEach(pair.net::closeRecv);
    }
  }

  @Test
  void theSameBufferServesForOneConnectionAfterTheOther() {
    try (Loopback pair = new Loopback().listening()) {
      byte[] before = pair.handle.toArray(ValueLayout.JAVA_BYTE);
      for (int i = 0; i < 3; i++) {
        pair.connect();
        assertThat(pair.handle.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        pair.net.closeSend(pair.send);
        pair.net.closeRecv(pair.recv);
        pair.send = null;
        pair.recv = null;
      }
    }
  }

  @Test
  void forgottenAttemptsAreDropped() {
    try (Loopback pair =
        new Loopback("NITINOL_SOCKET_CONNECT_MSEC", "50", "NCCL_SOCKET_RETRY_SLEEP_MSEC", "5000")
            .listening()) {
      pair.net.closeListen(pair.listener);
      pair.listener = null;
      for (int i = 0; i < 10; i++) {
        assertThat(pair.net.connect(0, pair.handle().copyFrom(pair.handle))).isNull();
      }
      assertThat(pair.net.connectsUnderWay()).isEqualTo(10);
      long start = System.nanoTime();
      Await.until("idle time", () -> System.nanoTime() - start > 60_000_000);
      assertThat(pair.net.connect(0, pair.handle().copyFrom(pair.handle))).isNull();
      assertThat(pair.net.connectsUnderWay()).isEqualTo(1);
    }
  }

  @Test
  void brokenHandlesAreRefused() {
    try (Loopback pair = new Loopback().listening()) {
      MemorySegment zeroes = pair.handle();
      assertFails(
          ResultCode.INVALID_ARGUMENT, () -> pair.net.connect(0, zeroes), "same network plugin");
      MemorySegment random = Loopback.fill(pair.handle(), 5);
      assertFails(ResultCode.INVALID_ARGUMENT, () -> pair.net.connect(0, random), "begin");
      for (int i = 0; i < 64; i++) {
        MemorySegment flipped = pair.handle().copyFrom(pair.handle);
        flipped.set(
            ValueLayout.JAVA_BYTE, i, (byte) (flipped.get(ValueLayout.JAVA_BYTE, i) ^ 0x10));
        assertFails(ResultCode.INVALID_ARGUMENT, () -> pair.net.connect(0, flipped));
      }
      MemorySegment small = pair.arena.allocate(127);
      assertFails(ResultCode.INVALID_ARGUMENT, () -> pair.net.connect(0, small), "127", "128");
      assertFails(ResultCode.INVALID_ARGUMENT, () -> pair.net.listen(0, small), "127", "128");
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> pair.net.connect(0, pair.handle.asReadOnly()),
          "read-only");
      assertThat(pair.net.connectsUnderWay()).isZero();
    }
  }

  @Test
  void theHandleStaysInItsBytes() {
    try (Loopback pair = new Loopback()) {
      MemorySegment larger = pair.arena.allocate(256).fill((byte) 7);
      ListenComm listener = pair.net.listen(0, larger);
      for (int i = 64; i < Net.HANDLE_MAXSIZE; i++) {
        assertThat(larger.get(ValueLayout.JAVA_BYTE, i)).as("byte %d", i).isZero();
      }
      for (int i = Net.HANDLE_MAXSIZE; i < 256; i++) {
        assertThat(larger.get(ValueLayout.JAVA_BYTE, i)).as("byte %d", i).isEqualTo((byte) 7);
      }
      pair.net.closeListen(listener);
    }
  }

  @Test
  void overIpv6() throws Exception {
    NetworkInterface lo = NetworkInterface.getByName("lo");
    assumeTrue(
        lo != null && lo.inetAddresses().anyMatch(a -> a.getAddress().length == 16),
        "lo has no IPv6 address here");
    try (Loopback pair = new Loopback("NCCL_SOCKET_FAMILY", "AF_INET6").connected()) {
      assertThat(HandleBytes.address(pair.handle).getAddress())
          .isEqualTo(InetAddress.ofLiteral("::1"));
      MemorySegment out = pair.random(70_000, 1);
      MemorySegment in = pair.arena.allocate(70_000);
      Request receiving = pair.irecv(pair.register(pair.recv, in), 0, 70_000);
      Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, 70_000, 0);
      assertThat(pair.complete(sending, receiving)).isEqualTo(70_000);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }
}
