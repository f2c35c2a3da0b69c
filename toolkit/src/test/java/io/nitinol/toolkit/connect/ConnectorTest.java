// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static io.nitinol.spi.testing.Failures.assertFails;
import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attempts to connect, and the handles that they begin with. */
class ConnectorTest {

  @Test
  void aListenerThatComesBackWithinTheRetriesIsReached() throws Exception {
    try (Pair pair = new Pair("TEST_PAUSE", "5").listening()) {
      // The handle of a listener that is not there yet: its port is taken and freed again.
      pair.closeListener();
      assertThat(pair.connect(pair.handle)).isNull();
      assertThat(pair.connect(pair.handle)).isNull();
      int port = ListenHandle.read(pair.handle, Pair.PLUGIN).port();
      try (var server = new java.net.ServerSocket(port, 5, InetAddress.getLoopbackAddress())) {
        List<java.net.Socket> reached = new ArrayList<>();
        server.setSoTimeout(1);
        Await.until(
            "a connection",
            () -> {
              assertThat(pair.connect(pair.handle)).isNull();
              try {
                return reached.add(server.accept());
              } catch (java.net.SocketTimeoutException notYet) {
                return false;
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
        try (var socket = reached.getFirst()) {
          pair.connect(pair.handle);
          byte[] key = pair.key();
          ByteBuffer said = ByteBuffer.wrap(socket.getInputStream().readNBytes(Hello.SIZE));
          assertThat(Hello.objection(said.position(Hello.SIZE), key, Pair.PLUGIN)).isNull();
          Answer answer = Answer.to(Hello.of(said), key, 0);
          socket.getOutputStream().write(answer.bytes());
          pair.send = Await.nonNull("connect", () -> pair.connect(pair.handle));
          assertThat(socket.getInputStream().readNBytes(32)).isEqualTo(answer.proofOfConnector());
        }
      }
    }
  }

  /** All of 127.0.0.0/8 is this host, and still nothing listens at another of its addresses. */
  @Test
  void aListenerIsAtItsDevicesAddressAlone() throws Exception {
    try (Pair pair = new Pair()) {
      MemorySegment handle = pair.handle();
      LocalEnd there = new LocalEnd(0, address("127.0.0.2"), "device 0 (lo)");
      pair.listener =
          Listener.open(there, Agreement.ONE, handle, pair.options, pair.log, Pair.Nothing::new);
      ListenHandle written = ListenHandle.read(handle, Pair.PLUGIN);
      assertThat(written.address()).isEqualTo(there.address());
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(there.address(), written.port()));
      }
      try (Socket socket = new Socket()) {
        assertThatThrownBy(
                () -> socket.connect(new InetSocketAddress(address("127.0.0.1"), written.port())))
            .isInstanceOf(ConnectException.class);
      }
    }
  }

  @Test
  void anAttemptThatIsNotAnsweredEndsInTime() {
    // Nobody answers at an address of the documentation network, unless the route says no at once.
    try (Pair pair = new Pair("TEST_CONNECT", "300", "TEST_RETRIES", "0")) {
      MemorySegment handle = pair.handle();
      new ListenHandle(address("192.0.2.1"), 9, new byte[16], Agreement.ONE, Pair.PLUGIN)
          .write(handle, Listener.HANDLE_BYTES);
      NetException failure = awaitFailure(() -> pair.connect(handle));
      assertThat(failure).hasMessageContaining("192.0.2.1:9");
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(pair.connector.underWay()).isZero();
    }
  }

  /** A buffer may be used again, with the bytes of an attempt that was abandoned. */
  @Test
  void anAttemptThatNobodyAskedAboutInTimeStartsAfresh() throws Exception {
    try (Pair pair = new Pair("TEST_CONNECT", "100")) {
      MemorySegment handle = pair.handle();
      new ListenHandle(address("192.0.2.1"), 9, new byte[16], Agreement.ONE, Pair.PLUGIN)
          .write(handle, Listener.HANDLE_BYTES);
      assertThat(pair.connect(handle)).isNull();
      long abandoned = ListenHandle.attemptId(handle, Listener.HANDLE_BYTES);
      Thread.sleep(200);
      assertThat(pair.connect(handle)).as("a new one, not the failure of the old one").isNull();
      assertThat(ListenHandle.attemptId(handle, Listener.HANDLE_BYTES)).isNotEqualTo(abandoned);
      assertThat(pair.connector.underWay()).isOne();
    }
  }

  /** If copies shared an attempt, only the first would hear of its failure. */
  @Test
  void attemptsFromCopiesOfAVersionFourHandleAreKeptApart() {
    try (Pair pair = new Pair()) {
      ConnectOptions options = Pair.versionFour(Pair.options(Features.NONE, "TEST_PAUSE", "1"));
      Connector<Proven> connector = new Connector<>(options, pair.log);
      MemorySegment handle = pair.arena.allocate(Listener.V4_HANDLE_BYTES);
      Listener<Proven> listener =
          Listener.open(pair.here, Agreement.ONE, handle, options, pair.log, Pair.Nothing::new);
      List<MemorySegment> copies = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        copies.add(pair.arena.allocate(Listener.V4_HANDLE_BYTES).copyFrom(handle));
      }
      List<Proven> sending = new ArrayList<>();
      List<Proven> receiving = new ArrayList<>();
      List<MemorySegment> waiting = new ArrayList<>(copies);
      int[] mostUnderWay = new int[1];
      Await.until(
          "a comm of each attempt",
          () -> {
            waiting.removeIf(
                copy -> addIfThere(sending, connector.connect(pair.here, copy, Pair.Nothing::new)));
            mostUnderWay[0] = Math.max(mostUnderWay[0], connector.underWay());
            addIfThere(receiving, listener.poll());
            return waiting.isEmpty() && receiving.size() == copies.size();
          });
      assertThat(mostUnderWay[0]).isEqualTo(copies.size());
      for (MemorySegment copy : copies) {
        assertThat(copy.mismatch(handle)).as("bytes as the listener wrote them").isEqualTo(-1);
      }
      sending.forEach(Pair::close);
      receiving.forEach(Pair::close);
      listener.close();

      copies.forEach(copy -> connector.connect(pair.here, copy, Pair.Nothing::new));
      assertThat(connector.underWay()).isEqualTo(copies.size());
      for (MemorySegment copy : copies) {
        NetException failure =
            awaitFailure(
                () -> assertThat(connector.connect(pair.here, copy, Pair.Nothing::new)).isNull());
        assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
        assertThat(copy.mismatch(handle)).as("bytes after a failure").isEqualTo(-1);
      }
      assertThat(connector.underWay()).isZero();
    }
  }

  private static boolean addIfThere(List<Proven> made, @Nullable Proven comm) {
    return comm != null && made.add(comm);
  }

  @Test
  void aVersionFourHandleIsForTheDeviceOnWhichItsAttemptBegan() throws Exception {
    try (Pair pair = new Pair()) {
      ConnectOptions options = Pair.versionFour(pair.options);
      Connector<Proven> connector = new Connector<>(options, pair.log);
      MemorySegment handle = toNowhere(pair);
      assertThat(connector.connect(pair.here, handle, Pair.Nothing::new)).isNull();
      LocalEnd other = new LocalEnd(1, pair.here.address(), "device 1 (lo)");
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> connector.connect(other, handle, Pair.Nothing::new),
          "attempt 1, which began on device 0 (lo) and not on device 1 (lo)");
      assertThat(connector.connect(pair.here, handle, Pair.Nothing::new)).isNull();
      assertThat(connector.underWay()).isOne();
    }
  }

  @Test
  void aVersionFourAttemptThatNobodyAskedAboutInTimeStartsAfreshWhileItIsKnown() throws Exception {
    try (Pair pair = new Pair()) {
      ConnectOptions options = Pair.versionFour(Pair.options(Features.NONE, "TEST_CONNECT", "100"));
      Connector<Proven> connector = new Connector<>(options, pair.log);
      MemorySegment handle = toNowhere(pair);
      final MemorySegment fresh = toNowhere(pair);
      assertThat(connector.connect(pair.here, handle, Pair.Nothing::new)).isNull();
      final MemorySegment copy = toNowhere(pair).copyFrom(handle);
      Thread.sleep(200);
      assertThat(connector.connect(pair.here, handle, Pair.Nothing::new)).as("a new one").isNull();
      assertThat(connector.underWay()).isOne();
      connector.abandon();
      for (MemorySegment gone : List.of(handle, copy)) {
        assertFails(
            ResultCode.TIMEOUT,
            () -> connector.connect(pair.here, gone, Pair.Nothing::new),
            "100 ms (TEST_CONNECT)");
      }
      assertThat(connector.connect(pair.here, fresh, Pair.Nothing::new)).isNull();
      connector.abandon();
    }
  }

  /** Nobody answers at an address of the documentation network. */
  private static MemorySegment toNowhere(Pair pair) throws Exception {
    MemorySegment handle = pair.arena.allocate(Listener.V4_HANDLE_BYTES);
    new ListenHandle(address("192.0.2.1"), 9, new byte[16], Agreement.ONE, Pair.PLUGIN)
        .write(handle, Listener.V4_HANDLE_BYTES);
    return handle;
  }

  @Test
  void handlesHaveTheSizeOfAVersion() {
    assertThatThrownBy(() -> ConnectOptions.fixed("Test", 96))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("handles of 96 bytes: expected 128, or 64 in version 4");
  }

  /** To the broadcast address Linux says "network is unreachable" at once, on any machine. */
  @Test
  void anAddressThatCannotBeReachedNowIsTriedAgain() {
    try (Pair pair = new Pair("TEST_RETRIES", "2", "TEST_PAUSE", "1")) {
      MemorySegment handle = pair.handle();
      new ListenHandle(address("255.255.255.255"), 9, new byte[16], Agreement.ONE, Pair.PLUGIN)
          .write(handle, Listener.HANDLE_BYTES);
      NetException failure = awaitFailure(() -> assertThat(pair.connect(handle)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("255.255.255.255:9").hasMessageContaining("3 tries");
      assertThat(pair.connector.underWay()).isZero();
    }
  }

  @Test
  void anAttemptNotedByAnotherInstanceOrForAnotherListenerStartsAfresh() {
    try (Pair pair = new Pair().listening();
        Pair other = new Pair()) {
      // As if the bytes had been copied while the other instance was at its attempt.
      MemorySegment copy = pair.copy();
      ListenHandle.noteAttempt(copy, Listener.HANDLE_BYTES, 4711, 1);
      Proven[] accepted = new Proven[1];
      Proven first =
          Await.nonNull(
              "connect",
              () -> {
                accepted[0] = accepted[0] == null ? pair.accept() : accepted[0];
                return other.connect(copy);
              });
      accepted[0] =
          accepted[0] == null ? Await.nonNull("accept", () -> pair.accept()) : accepted[0];
      Pair.close(first);
      Pair.close(accepted[0]);
      pair.works();
    }
  }

  /** Ranks that use different networks, as when some see an IB device and others do not. */
  @Test
  void aHandleOfAnotherPluginIsNamed() {
    try (Pair pair = new Pair()) {
      MemorySegment handle = pair.handle();
      new ListenHandle(Pair.LOOPBACK, 9, new byte[16], Agreement.ONE, "IB")
          .write(handle, Listener.HANDLE_BYTES);
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> pair.connect(handle),
          "it is a listener of the plugin IB and this side is the plugin Test",
          "do all ranks use the same network plugin");
      assertThat(pair.connector.underWay()).isZero();
    }
  }

  /** Version 2 had its checksum elsewhere and no kind. */
  @Test
  void aHandleOfAnotherVersionIsNamed() {
    try (Pair pair = new Pair().listening()) {
      for (byte version : new byte[] {2, 4}) {
        MemorySegment handle = pair.copy();
        handle.set(ValueLayout.JAVA_BYTE, 9, version);
        handle.asSlice(52, 12).fill((byte) 0);
        assertFails(
            ResultCode.INVALID_ARGUMENT,
            () -> pair.connect(handle),
            "its protocol version is " + version + ", this side speaks 3",
            "in the same version?");
      }
    }
  }

  @Test
  void aHandleThatAsksForNoOrTooManyStreamsIsRefused() {
    try (Pair pair = new Pair()) {
      for (int streams : new int[] {0, 66, 0xffff}) {
        MemorySegment handle = pair.handle();
        new ListenHandle(Pair.LOOPBACK, 9, new byte[16], new Agreement(streams, 0), Pair.PLUGIN)
            .write(handle, Listener.HANDLE_BYTES);
        assertFails(
            ResultCode.INVALID_ARGUMENT,
            () -> pair.connect(handle),
            "it asks for " + streams + " streams");
      }
    }
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }
}
