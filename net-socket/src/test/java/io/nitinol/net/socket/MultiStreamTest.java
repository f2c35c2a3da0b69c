// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A comm of several streams: the same messages, in the same order, whatever way they came. */
class MultiStreamTest {
  private static final int[] SIZES = {
    0, 1, 5_000_003, 65_536, 65_537, 17, 131_072, 1_048_579, 3, 262_144, 2_500_000, 70_000
  };

  @ParameterizedTest
  @CsvSource({"0,0", "1,0", "4,0", "4,4", "16,4", "64,16", "3,2"})
  void messagesOfAllSizesArriveInOrder(int data, int threads) throws IOException {
    exchange(Streams.connect(new Loopback(), data, threads));
  }

  @ParameterizedTest
  @CsvSource({"AF_INET,4,4", "AF_INET6,4,4", "AF_INET,4,1", "AF_INET,1,2", "AF_INET,64,1"})
  void socketsAndThreadsAreThoseOfTheVariables(String family, String perThread, String threads) {
    exchange(
        new Loopback(
                "NCCL_SOCKET_FAMILY",
                family,
                "NCCL_NSOCKS_PERTHREAD",
                perThread,
                "NCCL_SOCKET_NTHREADS",
                threads)
            .connected());
  }

  @ParameterizedTest
  @CsvSource({"0,1", "100,100000", "1000000,1", "2147483647,2147483647"})
  void messagesAreCutAsTheVariablesSay(String inline, String minTask) {
    exchange(
        new Loopback(
                "NCCL_NSOCKS_PERTHREAD",
                "4",
                "NCCL_SOCKET_NTHREADS",
                "1",
                "NCCL_SOCKET_INLINE",
                inline,
                "NCCL_SOCKET_MIN_TASKSIZE",
                minTask)
            .connected());
  }

  static void exchange(Loopback on) {
    try (Loopback pair = on) {
      long most = 5_000_003;
      int depth = 5;
      MemorySegment out = pair.random(depth * most, 1);
      MemorySegment in = pair.arena.allocate(depth * most);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      ArrayDeque<Request> sends = new ArrayDeque<>();
      ArrayDeque<Request> receives = new ArrayDeque<>();
      int[] counts = new int[3]; // sent, posted, received
      int[] size = new int[1];
      int messages = 10 * SIZES.length;
      Await.until(
          "all messages",
          () -> {
            while (counts[0] < messages && counts[0] - counts[2] < depth) {
              long at = counts[0] % depth * most;
              int length = SIZES[counts[0] % SIZES.length];
              sends.add(pair.net.isend(pair.send, outMr, at, length, counts[0]++));
            }
            while (counts[1] < messages && counts[1] - counts[2] < depth) {
              receives.add(pair.irecv(inMr, counts[1]++ % depth * most, most));
            }
            while (!sends.isEmpty() && pair.net.test(sends.peek(), null)) {
              sends.remove();
            }
            while (!receives.isEmpty() && pair.net.test(receives.peek(), size)) {
              receives.remove();
              long at = counts[2] % depth * most;
              assertThat(size[0]).isEqualTo(SIZES[counts[2]++ % SIZES.length]);
              assertThat(out.asSlice(at, size[0]).mismatch(in.asSlice(at, size[0]))).isEqualTo(-1);
              in.asSlice(at, size[0]).fill((byte) 0);
            }
            return counts[2] == messages && sends.isEmpty();
          });
    }
  }

  @ParameterizedTest
  @CsvSource({"4,0", "4,2"})
  void chunksWaitForTheReceiveTheyBelongTo(int data, int threads) throws IOException {
    try (Loopback pair = Streams.connect(new Loopback(), data, threads)) {
      MemorySegment out = pair.random(300_000, 1);
      MemorySegment in = pair.arena.allocate(300_000);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request first = pair.net.isend(pair.send, outMr, 0, 150_000, 0);
      Request second = pair.net.isend(pair.send, outMr, 150_000, 150_000, 0);
      // Both are in the kernel's buffers, chunks and all, before anybody wants them.
      Await.until("first send", () -> pair.net.test(first, null));
      Await.until("second send", () -> pair.net.test(second, null));
      Request one = pair.irecv(inMr, 0, 150_000);
      Await.until("first message", () -> pair.net.test(one, null));
      assertThat(in.asSlice(150_000).mismatch(pair.arena.allocate(150_000))).isEqualTo(-1);
      Request two = pair.irecv(inMr, 150_000, 150_000);
      Await.until("second message", () -> pair.net.test(two, null));
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "4"})
  void aStreamThatStandsStillLeavesItsShareToTheOthers(int threads) throws IOException {
    int chunk = 128 << 10;
    int messages = 8;
    try (Loopback one = new Loopback();
        Streams streams = new Streams(4)) {
      SocketSendComm end = streams.sendEnd(one, threads);
      one.send = end;
      MemoryHandle mr = one.register(end, one.random(8L * chunk, 1));
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        sends.add(one.net.isend(end, mr, 0, 8L * chunk, 0));
      }
      for (int i = 2; i <= 4; i++) {
        streams.receiving[i].configureBlocking(false);
      }
      // The test does not read stream 1, which keeps the bytes that it got before it stood still:
      // at
      // most half of the quarter that it would get if the chunks were dealt out.
      long kept = messages * 8L * chunk / 4 / 2;
      long[] came = new long[1];
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
      Await.until(
          "what the other streams carry",
          () -> {
            one.net.test(sends.getLast(), null);
            for (int i = 2; i <= 4; i++) {
              came[0] += Math.max(0, read(streams, i, buffer.clear()));
            }
            return came[0] >= 8L * messages * chunk - kept;
          });
    }
  }

  private static int read(Streams streams, int stream, ByteBuffer into) {
    try {
      return streams.receiving[stream].read(into);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"4,0", "4,4"})
  void whatWasSentArrivesAfterTheSenderHasClosed(int data, int threads) throws IOException {
    try (Loopback pair = Streams.connect(new Loopback(), data, threads)) {
      MemorySegment out = pair.random(200_000, 1);
      MemorySegment in = pair.arena.allocate(300_000);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      for (int i = 0; i < 2; i++) {
        Request sending = pair.net.isend(pair.send, outMr, i * 100_000L, 100_000, 0);
        Await.until("send", () -> pair.net.test(sending, null));
      }
      pair.net.closeSend(pair.send);
      pair.send = null;
      List<Request> receives = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        receives.add(pair.irecv(inMr, i * 100_000L, 100_000));
      }
      for (int i = 0; i < 2; i++) {
        Request receiving = receives.get(i);
        Await.until("receive", () -> pair.net.test(receiving, null));
      }
      assertThat(in.asSlice(0, 200_000).mismatch(out)).isEqualTo(-1);
      NetException failure = awaitFailure(() -> pair.net.test(receives.get(2), null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("closed by the peer");
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "2"})
  void aSenderThatClosesInTheMiddleFailsTheReceiver(int threads) throws IOException {
    try (Loopback one = new Loopback();
        Streams streams = new Streams(2)) {
      SocketRecvComm end = streams.recvEnd(one, threads);
      one.recv = end;
      MemoryHandle mr = one.register(end, one.arena.allocate(200_000));
      Request receiving = one.irecv(mr, 0, 200_000);
      ByteBuffer frame = ByteBuffer.allocate(ControlHeader.CUT_HEADER);
      ControlHeader.writeCut(frame, 0, 0, 200_000, 100_032);
      streams.sending[0].write(frame);
      for (int i = 0; i <= 2; i++) {
        streams.sending[i].shutdownOutput();
      }
      NetException failure = awaitFailure(() -> one.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("closed by the peer")
          .hasMessageContaining("2 chunks of its 200000 bytes have not come");
    }
  }

  @Test
  void threadsAreThereAndGoneAfterClose() throws IOException {
    List<Thread> before = threads();
    Loopback pair = Streams.connect(new Loopback(), 8, 4);
    List<Thread> started = threads();
    started.removeAll(before);
    assertThat(started).hasSize(4).allMatch(Thread::isDaemon);
    pair.close();
    assertThat(started).noneMatch(Thread::isAlive);
  }

  @Test
  void threadsAndStreamsAreGoneAfterAFailure() throws IOException {
    List<Thread> before = threads();
    try (Loopback one = new Loopback();
        Streams streams = new Streams(4)) {
      SocketRecvComm end = streams.recvEnd(one, 2);
      one.recv = end;
      List<Thread> started = threads();
      started.removeAll(before);
      assertThat(started).hasSize(2);
      MemoryHandle mr = one.register(end, one.arena.allocate(200_000));
      Request receiving = one.irecv(mr, 0, 200_000);
      streams.sending[0].shutdownOutput();
      NetException failure = awaitFailure(() -> one.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(started).noneMatch(Thread::isAlive);
      for (int i = 0; i <= 4; i++) {
        assertThat(streams.sending[i].read(ByteBuffer.allocate(1))).isEqualTo(-1);
      }
    }
  }

  private static List<Thread> threads() {
    List<Thread> found = new ArrayList<>(Thread.getAllStackTraces().keySet());
    found.removeIf(each -> !each.getName().startsWith("Socket-"));
    return found;
  }
}
