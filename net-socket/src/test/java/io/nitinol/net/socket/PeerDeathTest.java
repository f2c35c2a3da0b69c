// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two real processes: messages between them, and one of them killed at each stage. */
class PeerDeathTest {

  @Test
  void messagesBetweenProcesses() throws Exception {
    long seed = new Random().nextLong();
    System.err.println("messagesBetweenProcesses: seed " + seed);
    Random random = new Random(seed);
    int count = 200;
    try (Loopback here = new Loopback();
        PeerProcess peer = PeerProcess.start("receive", String.valueOf(count))) {
      connect(here, peer);
      MemorySegment out = here.arena.allocate(1 << 20);
      MemoryHandle mr = here.register(here.send, out);
      for (int i = 0; i < count; i++) {
        int size = random.nextInt(1 << random.nextInt(21));
        Loopback.fill(out.asSlice(0, size), i);
        Request request = here.net.isend(here.send, mr, 0, size, i);
        Await.until("send " + i, () -> here.net.test(request, null));
      }
      assertThat(peer.expect("received")).isEqualTo("200");
    }
  }

  @Test
  void killedBeforeItAcceptedAndBeforeWeConnect() throws Exception {
    try (Loopback here =
            new Loopback("NCCL_SOCKET_RETRY_CNT", "2", "NCCL_SOCKET_RETRY_SLEEP_MSEC", "10");
        PeerProcess peer = PeerProcess.start("listen", "")) {
      here.handle = here.handle();
      PeerProcess.unhex(peer.expect("handle"), here.handle);
      peer.kill();
      NetException failure = awaitFailure(() -> here.net.connect(0, here.handle));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("3 tries");
    }
  }

  @Test
  void killedBeforeItAcceptedAndAfterWeConnected() throws Exception {
    try (Loopback here = new Loopback();
        PeerProcess peer = PeerProcess.start("listen", "")) {
      here.handle = here.handle();
      PeerProcess.unhex(peer.expect("handle"), here.handle);
      long start = System.nanoTime();
      Await.until(
          "a greeting in vain",
          () -> {
            assertThat(here.net.connect(0, here.handle)).isNull();
            return System.nanoTime() - start > 100_000_000;
          });
      peer.kill();
      // A peer that had answered and now refuses is gone: that is known well before all retries.
      NetException failure =
          awaitFailure(() -> assertThat(here.net.connect(0, here.handle)).isNull());
      assertRemote(failure);
      assertThat(failure).hasMessageContaining("had been there, 4 times");
    }
  }

  @Test
  void theReceiverIsKilledInMidMessage() throws Exception {
    try (Loopback here = new Loopback();
        PeerProcess peer = PeerProcess.start("accept", "")) {
      connect(here, peer);
      MemoryHandle mr = here.register(here.send, here.arena.allocate(64 << 20));
      Request request = here.net.isend(here.send, mr, 0, 64 << 20, 0);
      assertThat(here.net.test(request, null)).isFalse();
      peer.kill();
      NetException failure = awaitFailure(() -> assertThat(here.net.test(request, null)).isFalse());
      assertRemote(failure);
      assertThat(failure).hasMessageContaining("of 67108864 bytes sent");
    }
  }

  @Test
  void theReceiverIsKilledWhileNothingIsUnderWay() throws Exception {
    try (Loopback here = new Loopback();
        PeerProcess peer = PeerProcess.start("accept", "")) {
      connect(here, peer);
      MemoryHandle mr = here.register(here.send, here.arena.allocate(100));
      peer.kill();
      // The kernel may take a message or two before it learns that the peer is gone.
      assertRemote(
          awaitFailure(() -> {
            Request request = here.net.isend(here.send, mr, 0, 100, 0);
            if (request != null) {
              here.net.test(request, null);
            }
          }));
    }
  }

  @Test
  void theSenderIsKilledWhileNothingIsUnderWay() throws Exception {
    try (Loopback here = new Loopback().listening();
        PeerProcess peer = PeerProcess.start("connect", PeerProcess.hex(here.handle))) {
      here.recv = Await.nonNull("accept", () -> here.net.accept(here.listener));
      peer.expect("connected");
      Request request = here.irecv(here.register(here.recv, here.arena.allocate(100)), 0, 100);
      assertThat(here.net.test(request, null)).isFalse();
      peer.kill();
      assertRemote(awaitFailure(() -> assertThat(here.net.test(request, null)).isFalse()));
    }
  }

  @Test
  void theSenderIsKilledInMidMessage() throws Exception {
    try (Loopback here = new Loopback().listening();
        PeerProcess peer = PeerProcess.start("send", PeerProcess.hex(here.handle))) {
      here.recv = Await.nonNull("accept", () -> here.net.accept(here.listener));
      peer.expect("connected");
      peer.expect("sending");
      MemorySegment in = here.arena.allocate(64 << 20);
      MemoryHandle mr = here.register(here.recv, in);
      Request small = here.irecv(mr, 0, 100);
      Request large = here.irecv(mr, 0, 64 << 20);
      peer.kill();
      // What had arrived complete is complete; what is missing a part is not.
      Await.until("first message", () -> here.net.test(small, null));
      NetException failure = awaitFailure(() -> assertThat(here.net.test(large, null)).isFalse());
      assertRemote(failure);
      assertThat(failure).hasMessageContaining("of 67108864 bytes came");
    }
  }

  private static void connect(Loopback here, PeerProcess peer) throws Exception {
    here.handle = here.handle();
    PeerProcess.unhex(peer.expect("handle"), here.handle);
    here.send = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
    peer.expect("accepted");
  }

  private static void assertRemote(NetException failure) {
    assertThat(failure.result()).as(failure.getMessage()).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(failure)
        .hasMessageContaining("peer 127.0.0.1:")
        .hasMessageContaining("device 0 (lo)");
  }
}
