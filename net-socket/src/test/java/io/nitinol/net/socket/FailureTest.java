// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.assertFails;
import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks a connection, and what is left of it afterwards. */
class FailureTest {

  @Test
  void aMessageLargerThanTheReceiveFailsBothSides() {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment in = pair.arena.allocate(3000).fill((byte) 0x5a);
      MemoryHandle outMr = pair.register(pair.send, pair.random(5000, 1));
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request receiving = pair.irecv(inMr, 1000, 1000);
      Request next = pair.irecv(inMr, 0, 100);
      pair.net.isend(pair.send, outMr, 0, 1001, 7);
      NetException failure = awaitFailure(() -> pair.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure)
          .hasMessageContaining("message of 1001 bytes (tag 7)")
          .hasMessageContaining("receive of 1000 bytes")
          .hasMessageContaining("127.0.0.1:")
          .hasMessageContaining("device 0 (lo)");
      assertThat(in.mismatch(pair.arena.allocate(3000).fill((byte) 0x5a))).isEqualTo(-1);
      // Every later call repeats it, and the sender fails in its turn.
      assertFails(ResultCode.INVALID_USAGE, () -> pair.net.test(next, null), "1001");
      assertFails(ResultCode.INVALID_USAGE, () -> pair.irecv(inMr, 0, 100), "1001");
      NetException remote = awaitFailure(() -> sendAndTest(pair, outMr));
      assertThat(remote.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(remote).hasMessageContaining("127.0.0.1:").hasMessageContaining("(lo)");
    }
  }

  /** The read of the next header, which follows a large payload, meets the reset. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageThatHasComeIsCompleteThoughTheConnectionEndsBehindIt(boolean reset)
      throws IOException {
    int length = 128 << 10; // more than is read ahead
    ByteBuffer sent = ByteBuffer.allocateDirect(ControlHeader.HEADER + length);
    ControlHeader.write(sent, 0, 7, length);
    byte[] bytes = new byte[sent.clear().capacity()];
    sent.get(bytes);
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    channel.send(bytes, bytes.length);
    channel.arrive(bytes.length);
    channel.finish(reset);
    try (Arena arena = Arena.ofConfined();
        Loopback plugin = new Loopback("NITINOL_SOCKET_NATIVE", "0")) {
      SocketRecvComm end = Streams.recvEnd(plugin, Streams.wire(plugin, channel), new Wire[0], 0);
      SocketMemory memory = end.register(Memory.ofHost(arena.allocate(length)));
      SocketRequest first = Objects.requireNonNull(end.post(memory, 0, length, 7), "first");
      SocketRequest second = Objects.requireNonNull(end.post(memory, 0, length, 7), "second");
      int[] size = new int[1];
      Await.until("the message", () -> end.test(first, size));
      assertThat(size[0]).isEqualTo(length);
      NetException failure = awaitFailure(() -> end.test(second, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      end.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void anExceptionThatNobodyExpectsOnADataStreamFailsTheComm(int threads) throws IOException {
    AtomicLong open = new AtomicLong();
    // The idle stream's thread must not come to wait: a selector takes no such channel.
    try (Loopback one = new Loopback("NITINOL_SOCKET_SPIN_USEC", "1000000")) {
      MemoryChannel control = new MemoryChannel(open);
      MemoryChannel data = new MemoryChannel(open);
      // Two threads only where there are two streams; the other has nothing to say.
      MemoryChannel idle = new MemoryChannel(open);
      data.breakWith(new ArithmeticException("of no use"));
      ByteBuffer frame = ByteBuffer.allocate(ControlHeader.CUT_HEADER);
      ControlHeader.writeCut(frame, 0, 7, 200, 100);
      control.send(frame.array(), ControlHeader.CUT_HEADER);
      control.arrive(ControlHeader.CUT_HEADER);
      Wire[] wires = {Streams.wire(one, data), Streams.wire(one, idle)};
      SocketRecvComm end = Streams.recvEnd(one, Streams.wire(one, control), wires, threads);
      one.recv = end;
      MemoryHandle mr = one.register(end, one.arena.allocate(200));
      Request receiving = one.irecv(mr, 0, 200);
      NetException failure = awaitFailure(() -> one.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.INTERNAL_ERROR);
      assertThat(failure).hasMessageContaining("ArithmeticException: of no use");
      assertThat(open).hasValue(0);
      assertFails(ResultCode.INTERNAL_ERROR, () -> one.irecv(mr, 0, 200), "of no use");
    }
  }

  @Test
  void completedMessagesArriveAfterTheSenderHasClosed() {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment out = pair.random(50_000, 1);
      MemorySegment in = pair.arena.allocate(50_000);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      List<Request> receives = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Request sending = pair.net.isend(pair.send, outMr, i * 10_000L, 10_000, 0);
        Await.until("send", () -> pair.net.test(sending, null));
      }
      pair.net.closeSend(pair.send);
      pair.send = null;
      for (int i = 0; i < 6; i++) {
        receives.add(pair.irecv(inMr, Math.min(i, 4) * 10_000L, 10_000));
      }
      for (int i = 0; i < 5; i++) {
        Request receiving = receives.get(i);
        Await.until("receive", () -> pair.net.test(receiving, null));
      }
      assertThat(in.mismatch(out)).isEqualTo(-1);
      NetException failure = awaitFailure(() -> pair.net.test(receives.get(5), null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("closed by the peer")
          .hasMessageContaining("while receiving message 5")
          .hasMessageContaining("1 request in flight");
    }
  }

  @Test
  void theReceiverClosesWhileTheSenderIsAtIt() {
    try (Loopback pair = new Loopback().connected()) {
      MemoryHandle outMr = pair.register(pair.send, pair.arena.allocate(64 << 20));
      Request sending = pair.net.isend(pair.send, outMr, 0, 64 << 20, 3);
      assertThat(pair.net.test(sending, null)).isFalse();
      pair.net.closeRecv(pair.recv);
      pair.recv = null;
      NetException failure = awaitFailure(() -> pair.net.test(sending, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("while sending message 0 (tag 3");
      assertFails(
          ResultCode.REMOTE_ERROR, () -> pair.net.isend(pair.send, outMr, 0, 1, 0), "message 0");
      assertFails(ResultCode.REMOTE_ERROR, () -> pair.net.test(sending, null), "message 0");
    }
  }

  @Test
  void halfAMessageIsNoMessage() throws IOException {
    try (Loopback pair = new Loopback().listening()) {
      try (SocketChannel peer = greeted(pair)) {
        ByteBuffer half = ByteBuffer.allocate(ControlHeader.HEADER + 50);
        ControlHeader.write(half, 0, 1, 100);
        peer.write(half);
      }
      Request receiving = pair.irecv(pair.register(pair.recv, pair.arena.allocate(100)), 0, 100);
      NetException failure =
          awaitFailure(() -> assertThat(pair.net.test(receiving, null)).isFalse());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("50 of 100 bytes came");
    }
  }

  /** Of a connection that is half closed, nothing more can come: that is its end. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aHalfClosedOrResetConnectionFailsTheReceive(boolean reset) throws IOException {
    try (Loopback pair = new Loopback().listening();
        SocketChannel peer = greeted(pair)) {
      Request receiving = pair.irecv(pair.register(pair.recv, pair.arena.allocate(100)), 0, 100);
      assertThat(pair.net.test(receiving, null)).isFalse();
      if (reset) {
        peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        peer.close();
      } else {
        peer.shutdownOutput();
      }
      NetException failure =
          awaitFailure(() -> assertThat(pair.net.test(receiving, null)).isFalse());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining(reset ? "reset" : "closed by the peer");
    }
  }

  @Test
  void aStreamOutOfStepIsNamed() throws IOException {
    for (int broken = 0; broken < 2; broken++) {
      try (Loopback pair = new Loopback().listening();
          SocketChannel peer = greeted(pair)) {
        ByteBuffer header = ByteBuffer.allocate(ControlHeader.HEADER);
        ControlHeader.write(header, 0, 1, broken == 0 ? -5 : 10);
        if (broken == 1) {
          header.put(0, (byte) 0);
        }
        peer.write(header);
        Request receiving = pair.irecv(pair.register(pair.recv, pair.arena.allocate(100)), 0, 100);
        NetException failure = awaitFailure(() -> pair.net.test(receiving, null));
        assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
        assertThat(failure).hasMessageContaining("out of step");
      }
    }
  }

  @Test
  void everythingCanBeClosedWithRequestsInFlight() {
    for (int round = 0; round < 10; round++) {
      try (Loopback pair = new Loopback().connected()) {
        MemoryHandle outMr = pair.register(pair.send, pair.arena.allocate(1 << 20));
        MemoryHandle inMr = pair.register(pair.recv, pair.arena.allocate(1 << 20));
        for (int i = 0; i < 32; i++) {
          assertThat(pair.net.isend(pair.send, outMr, 0, 1 << 20, 0)).isNotNull();
          assertThat(pair.irecv(inMr, 0, 1 << 20)).isNotNull();
        }
        pair.net.deregMr(pair.send, outMr);
        pair.net.deregMr(pair.recv, inMr);
      }
    }
  }

  @Test
  void memoryThatIsDeregisteredInFlightIsNotTouched() {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment in = pair.arena.allocate(1000).fill((byte) 0x5a);
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request receiving = pair.irecv(inMr, 0, 1000);
      pair.net.deregMr(pair.recv, inMr);
      MemoryHandle outMr = pair.register(pair.send, pair.random(1000, 4));
      pair.net.isend(pair.send, outMr, 0, 1000, 0);
      NetException failure = awaitFailure(() -> pair.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure).hasMessageContaining("deregistered while in flight");
      assertThat(in.mismatch(pair.arena.allocate(1000).fill((byte) 0x5a))).isEqualTo(-1);
    }
  }

  @Test
  void anArenaThatIsClosedInFlightIsAnErrorAndNoCrash() {
    try (Loopback pair = new Loopback().connected()) {
      Request sending;
      try (Arena arena = Arena.ofShared()) {
        MemoryHandle outMr = pair.register(pair.send, arena.allocate(64 << 20));
        sending = pair.net.isend(pair.send, outMr, 0, 64 << 20, 0);
        assertThat(pair.net.test(sending, null)).isFalse();
      }
      // There may be no room in the kernel for a while: take what is there.
      MemoryHandle inMr = pair.register(pair.recv, pair.arena.allocate(64 << 20));
      Request receiving = pair.irecv(inMr, 0, 64 << 20);
      NetException failure =
          awaitFailure(() -> {
            pair.net.test(sending, null);
            assertThat(pair.net.test(receiving, null)).isFalse();
          });
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure).hasMessageContaining("not accessible any more");
    }
  }

  @Test
  void aFailedCommHarmsNoOther() {
    try (Loopback pair = new Loopback().connected()) {
      var failedSend = pair.send;
      var failedRecv = pair.recv;
      pair.send = null;
      pair.recv = null;
      pair.connect();
      pair.net.closeSend(failedSend);
      MemoryHandle inMr = pair.register(failedRecv, pair.arena.allocate(10));
      Request receiving =
          pair.net.irecv(
              failedRecv, 1, new MemoryHandle[] {inMr}, new long[1], new long[] {10}, new int[1]);
      awaitFailure(() -> pair.net.test(receiving, null));
      pair.net.closeRecv(failedRecv);
      MemorySegment in = pair.arena.allocate(10);
      MemorySegment out = pair.random(10, 4);
      Request after = pair.irecv(pair.register(pair.recv, in), 0, 10);
      assertThat(
              pair.complete(
                  pair.net.isend(pair.send, pair.register(pair.send, out), 0, 10, 0), after))
          .isEqualTo(10);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  private static void sendAndTest(Loopback pair, MemoryHandle outMr) {
    Request sending = pair.net.isend(pair.send, outMr, 0, 100, 0);
    if (sending != null) {
      pair.net.test(sending, null);
    }
  }

  /** Connects to the listener of {@code pair} as a peer that then may say what it likes. */
  private static SocketChannel greeted(Loopback pair) throws IOException {
    SocketChannel channel = new PeerStream(pair).channel;
    pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
    return channel;
  }
}
