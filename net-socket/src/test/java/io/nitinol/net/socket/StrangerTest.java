// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What reaches a listener without knowing its handle is dropped and disturbs nobody. */
class StrangerTest {
  private static final byte[] WRONG_KEY = new byte[16];

  @Test
  void garbageIsDroppedAndThePeerBehindItGetsThrough() throws IOException {
    try (Loopback pair = new Loopback().listening();
        SocketChannel stranger = knock(pair, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
      awaitWarning(pair, "does not speak this plugin's protocol");
      assertClosed(stranger);
      works(pair);
    }
  }

  @Test
  void aWrongKeyIsDropped() throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
    Hello.write(hello, WRONG_KEY);
    try (Loopback pair = new Loopback().listening();
        SocketChannel stranger = knock(pair, hello.array())) {
      awaitWarning(pair, "does not know this listener's key");
      assertClosed(stranger);
      works(pair);
    }
  }

  @Test
  void anotherVersionIsDroppedAndNamed() throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
    Hello.write(hello, WRONG_KEY);
    hello.putShort(8, (short) 77);
    try (Loopback pair = new Loopback().listening();
        SocketChannel stranger = knock(pair, hello.array())) {
      awaitWarning(pair, "protocol version is 77");
      assertClosed(stranger);
    }
  }

  @Test
  void aRecordedHelloIsWorthNothing() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
      Hello.write(hello, ListenHandle.read(pair.handle).key());
      try (SocketChannel first = knock(pair, hello.array())) {
        RecvComm comm = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
        try (SocketChannel second = knock(pair, hello.array())) {
          awaitWarning(pair, "copy of one that was used before");
          assertClosed(second);
        }
        assertThat(first.isConnected()).isTrue();
        pair.net.closeRecv(comm);
      }
      works(pair);
    }
  }

  @Test
  void aHelloInPiecesIsTaken() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
      Hello.write(hello, ListenHandle.read(pair.handle).key());
      try (SocketChannel peer = knock(pair, new byte[0])) {
        for (int i = 0; i < Hello.SIZE - 1; i++) {
          peer.write(ByteBuffer.wrap(hello.array(), i, 1));
          assertThat(pair.net.accept(pair.listener)).isNull();
        }
        peer.write(ByteBuffer.wrap(hello.array(), Hello.SIZE - 1, 1));
        pair.net.closeRecv(Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
      }
    }
  }

  @Test
  void silenceAndHalfAHelloEndAtTheTimeLimit() throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(Hello.SIZE);
    Hello.write(hello, WRONG_KEY);
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HANDSHAKE_MSEC", "100").listening();
        SocketChannel silent = knock(pair, new byte[0]);
        SocketChannel half = knock(pair, java.util.Arrays.copyOf(hello.array(), 32))) {
      works(pair); // although the others came first and are still there
      awaitWarning(pair, "after 100 ms it had sent 0 of 64 bytes");
      awaitWarning(pair, "after 100 ms it had sent 32 of 64 bytes");
      awaitWarning(pair, "NITINOL_SOCKET_HANDSHAKE_MSEC");
      assertClosed(silent);
      assertClosed(half);
    }
  }

  @Test
  void aPortScanLeavesNothingBehind() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      for (int i = 0; i < 50; i++) {
        knock(pair, new byte[0]).close();
        SocketChannel reset = knock(pair, new byte[0]);
        reset.setOption(StandardSocketOptions.SO_LINGER, 0);
        reset.close();
      }
      works(pair);
      awaitWarning(pair, "closed the connection after 0 bytes");
      // The first ones each, then ever fewer: a scan does not fill the log.
      assertThat(pair.log.warnings.size()).isBetween(8, 20);
    }
  }

  @Test
  void aCrowdOfSilentStrangersKeepsNoPeerOut() throws IOException {
    try (Loopback pair = new Loopback("NITINOL_SOCKET_HALF_OPEN", "8").listening()) {
      List<SocketChannel> crowd = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        crowd.add(knock(pair, new byte[0]));
      }
      works(pair);
      awaitWarning(pair, "NITINOL_SOCKET_HALF_OPEN");
      // All but the youngest eight have been dropped.
      for (SocketChannel each : crowd.subList(0, 92)) {
        assertClosed(each);
      }
      for (SocketChannel each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void closingTheListenerDropsThoseHalfOpen() throws IOException {
    try (Loopback pair = new Loopback().listening();
        SocketChannel stranger = knock(pair, new byte[0])) {
      assertThat(pair.net.accept(pair.listener)).isNull();
      pair.net.closeListen(pair.listener);
      pair.listener = null;
      assertClosed(stranger);
    }
  }

  private static SocketChannel knock(Loopback pair, String text) throws IOException {
    return knock(pair, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static SocketChannel knock(Loopback pair, byte[] bytes) throws IOException {
    ListenHandle handle = ListenHandle.read(pair.handle);
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(handle.address(), handle.port()));
    channel.write(ByteBuffer.wrap(bytes));
    return channel;
  }

  private static void awaitWarning(Loopback pair, String text) {
    Await.until(
        "warning: " + text,
        () -> {
          assertThat(pair.net.accept(pair.listener)).isNull();
          return pair.log.warnings.stream().anyMatch(w -> w.contains(text));
        });
  }

  /** The stranger sees an end of stream or a reset, and nothing was said to it. */
  private static void assertClosed(SocketChannel stranger) {
    try {
      assertThat(stranger.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (IOException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  private static void works(Loopback pair) {
    pair.connect();
    MemorySegment out = pair.random(1000, 1);
    MemorySegment in = pair.arena.allocate(1000);
    Request receiving = pair.irecv(pair.register(pair.recv, in), 0, 1000);
    Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, 1000, 0);
    assertThat(pair.complete(sending, receiving)).isEqualTo(1000);
    assertThat(in.mismatch(out)).isEqualTo(-1);
  }
}
