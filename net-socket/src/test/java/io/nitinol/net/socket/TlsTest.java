// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitBothFailures;
import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The encrypted mode of the plugin, and how it fails. */
class TlsTest {

  @Test
  void whatWasSentArrivesAfterTheSenderHasClosed() {
    try (Loopback pair = encrypted().connected()) {
      MemorySegment out = pair.random(50_000, 1);
      MemorySegment in = pair.arena.allocate(50_000);
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, 50_000, 0);
      Await.until("send", () -> pair.net.test(sending, null));
      pair.net.closeSend(pair.send);
      pair.send = null;
      Request receiving = pair.irecv(inMr, 0, 50_000);
      Await.until("receive", () -> pair.net.test(receiving, null));
      assertThat(in.mismatch(out)).isEqualTo(-1);
      Request next = pair.irecv(inMr, 0, 50_000);
      NetException failure = awaitFailure(() -> pair.net.test(next, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("closed by the peer");
    }
  }

  @Test
  void theReceiverClosesWhileTheSenderIsAtIt() {
    try (Loopback pair = encrypted().connected()) {
      MemoryHandle outMr = pair.register(pair.send, pair.arena.allocate(64 << 20));
      Request sending = pair.net.isend(pair.send, outMr, 0, 64 << 20, 3);
      assertThat(pair.net.test(sending, null)).isFalse();
      pair.net.closeRecv(pair.recv);
      pair.recv = null;
      NetException failure = awaitFailure(() -> pair.net.test(sending, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneSideWithoutEncryptionIsNamedOnBothSides(boolean connectorWants) {
    try (Loopback listening = connectorWants ? new Loopback() : encrypted();
        Loopback connecting = connectorWants ? encrypted() : new Loopback()) {
      listening.listening();
      connecting.handle = connecting.handle();
      connecting.handle.copyFrom(listening.handle);
      for (NetException each :
          awaitBothFailures(
              () -> connecting.net.connect(0, connecting.handle),
              () -> listening.net.accept(listening.listener))) {
        assertThat(each.result()).isEqualTo(ResultCode.INVALID_USAGE);
        assertThat(each)
            .hasMessageContaining("plain")
            .hasMessageContaining("encrypted")
            .hasMessageContaining("NITINOL_SOCKET_TLS");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "true", "on", "off", "1.0", "#1", "no"})
  void aSwitchThatIsNotUnderstoodIsAnErrorAndNotPlain(String text) {
    assertThatThrownBy(() -> new Loopback("NITINOL_SOCKET_TLS", text))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasNoCause() // whose text the message has
        .hasMessage(
            "NITINOL_SOCKET_TLS="
                + text
                + ": expected 0 for off, 1 or any other whole number for on (from the application); what needs it fails,"
                + " nothing is guessed instead");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", " 0 ", " "})
  void offAndBlankArePlain(String text) {
    try (Loopback plain = new Loopback("NITINOL_SOCKET_TLS", text)) {
      assertThat(plain.net.options().encryption()).isNull();
    }
  }

  /** The first of those that are missing is named, in the order certificate, key, CA. */
  @ParameterizedTest
  @CsvSource({
    "CERT KEY, CA",
    "CERT CA, KEY",
    "KEY CA, CERT",
    "CERT, KEY",
    "KEY, CERT",
    "CA, CERT",
  })
  void someOfTheThreeFilesAreNotEnough(String given, String missing) {
    List<String> values = new ArrayList<>(List.of("NITINOL_SOCKET_TLS", "1"));
    for (String each : given.split(" ")) {
      values.add("NITINOL_SOCKET_TLS_" + each);
      values.add("/nowhere/" + each + ".pem");
    }
    assertThatThrownBy(() -> new Loopback(values.toArray(String[]::new)))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessage(
            "NITINOL_SOCKET_TLS_"
                + missing
                + " is not set: expected all three of NITINOL_SOCKET_TLS_CERT,"
                + " NITINOL_SOCKET_TLS_KEY and NITINOL_SOCKET_TLS_CA, or none for a key that follows"
                + " from the job's secret");
  }

  /** What a stream has taken when TLS cannot begin on it is given back. */
  @Test
  void aStreamOnWhichTlsCannotBeginIsClosed() throws IOException {
    try (Loopback pair = encrypted();
        Streams streams = new Streams(0)) {
      SocketChannel channel = streams.sending[0];
      assertThatThrownBy(() ->
              pair.net
                  .plugin
                  .wires()
                  .encrypted(
                      channel,
                      Streams.DEVICE,
                      null, // so that making the engine fails
                      Role.CONNECTOR,
                      (side, exported) -> exported))
          .isInstanceOf(NullPointerException.class);
      assertThat(channel.isOpen()).isFalse();
    }
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() ->
            new Loopback(
                "NITINOL_SOCKET_TLS",
                "1",
                "NITINOL_SOCKET_TLS_CERT",
                "/nowhere/cert.pem",
                "NITINOL_SOCKET_TLS_KEY",
                "/nowhere/key.pem",
                "NITINOL_SOCKET_TLS_CA",
                "/nowhere/ca.pem"))
        .isInstanceOf(NetException.class)
        .hasNoCause() // whose text the message has
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessage("NITINOL_SOCKET_TLS_CERT=/nowhere/cert.pem: there is no such file");
  }

  /** A process with certificate files must not run in the clear. */
  @ParameterizedTest
  @ValueSource(strings = {"", "0"})
  void filesWithoutEncryptionAreRefused(String tls) {
    assertThatThrownBy(() ->
            new Loopback(
                "NITINOL_SOCKET_TLS",
                tls,
                "NITINOL_SOCKET_TLS_CERT",
                "/nowhere/cert.pem",
                "NITINOL_SOCKET_TLS_CA",
                "/nowhere/ca.pem"))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("NITINOL_SOCKET_TLS_CERT (from the application)")
        .hasMessageContaining("NITINOL_SOCKET_TLS_CA (from the application)")
        .hasMessageContaining(
            tls.isEmpty()
                ? "NITINOL_SOCKET_TLS is not set"
                : "NITINOL_SOCKET_TLS=0 (from the application)");
  }

  @Test
  void theLogSaysWhetherConnectionsAreEncrypted() {
    try (Loopback plain = new Loopback();
        Loopback encrypted = encrypted()) {
      assertThat(plain.log.lines)
          .anyMatch(line ->
              line.contains("NET/Socket : Using [0]lo:127.0.0.1")
                  && line.contains("connections are not encrypted"));
      assertThat(encrypted.log.lines)
          .anyMatch(line ->
              line.contains("NET/Socket : Using [0]lo:127.0.0.1")
                  && line.contains("encrypted by TLS 1.3, keys derived from the job's secret"));
    }
  }

  private static Loopback encrypted() {
    return new Loopback("NITINOL_SOCKET_TLS", "1");
  }
}
