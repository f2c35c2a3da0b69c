// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.wire.NativeWire;
import io.nitinol.net.socket.wire.PlainWire;
import io.nitinol.spi.testing.Await;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Messages of connections that have no system calls of their own. */
class NioMessageTest extends MessageTest {
  @Override
  Loopback loopback() {
    return new Loopback("NITINOL_SOCKET_NATIVE", "0");
  }

  @Test
  void oneLineSaysWhoWantedThat() {
    try (Loopback pair = loopback().connected()) {
      assertThat(((SocketSendComm) pair.send).wire).isInstanceOf(PlainWire.class);
      assertThat(((SocketRecvComm) pair.recv).wire).isInstanceOf(PlainWire.class);
      assertThat(pair.log.lines.stream().filter(line -> line.contains("java.nio")))
          .singleElement()
          .asString()
          .contains("NITINOL_SOCKET_NATIVE=0");
    }
  }

  @Test
  void asARuleConnectionsHaveThem() {
    try (Loopback pair = new Loopback().connected()) {
      assertThat(((SocketSendComm) pair.send).wire).isInstanceOf(NativeWire.class);
      assertThat(((SocketRecvComm) pair.recv).wire).isInstanceOf(NativeWire.class);
      assertThat(pair.log.lines).noneMatch(line -> line.contains("java.nio"));
    }
  }

  @Test
  void aProcessWithoutNativeAccessTouchesNoneAndSaysSo() throws Exception {
    try (PeerProcess peer = PeerProcess.startDenied("report", "300000")) {
      assertThat(peer.expect("wire")).isEqualTo("PlainWire");
      assertThat(peer.expect("said"))
          .contains("java.nio")
          .contains("--enable-native-access=ALL-UNNAMED");
      assertThat(peer.expect("timeout")).contains("NITINOL_SOCKET_USER_TIMEOUT_MSEC");
      assertThat(peer.expect("moved")).isEqualTo("300000");
    }
  }

  @Test
  void aProcessWithAndOneWithoutUnderstandEachOther() throws IOException, InterruptedException {
    for (int bytes : new int[] {8, 100_000, 1 << 20}) {
      try (Loopback here = new Loopback();
          PeerProcess peer = PeerProcess.startDenied("receive", "3")) {
        here.handle = here.handle();
        PeerProcess.unhex(peer.expect("handle"), here.handle);
        here.send = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
        peer.expect("accepted");
        for (int i = 0; i < 3; i++) {
          var memory = here.register(here.send, here.random(bytes, i));
          var request = here.net.isend(here.send, memory, 0, bytes, 0);
          Await.until("message " + i, () -> here.net.test(request, null));
        }
        assertThat(peer.expect("received")).isEqualTo("3");
      }
    }
  }
}
