// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.Failures;
import io.nitinol.spi.testing.HandleBytes;
import io.nitinol.spi.testing.RecordingLog;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is allocated on the data path, and nothing stays behind. */
class ResourceTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 3000, 20_000, 300_000})
  void tenThousandMessagesAllocateNothing(int size) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean,
        "this JVM does not count allocated bytes");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Loopback pair = new Loopback().connected()) {
      Exchange exchange = new Exchange(pair, size);
      exchange.run(5_000); // classes, interpreter and compiler settle
      // The JVM may charge the caller while a compiler thread installs code: one attempt of five
      // must
      // be free of it.
      long least = Long.MAX_VALUE;
      for (int attempt = 0; attempt < 5 && least > 0; attempt++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        exchange.run(10_000);
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).as("bytes allocated by 10,000 messages of %d bytes", size).isZero();
    }
  }

  /** Without memory for its buffers an end does not come about, and leaves no socket behind. */
  @Test
  void aConnectionWithoutMemoryForItsBuffersIsClosed() {
    BufferPool none = new BufferPool(-1); // taking from it throws an IllegalArgumentException
    Settings settings =
        Settings.of(Map.of("NCCL_SOCKET_IFNAME", "=lo", "NCCL_SOCKET_FAMILY", "AF_INET"));
    OneCommunicator poor =
        new OneCommunicator(
            new SocketNet(settings, new SocketPools(none, none)), new RecordingLog());
    try (Loopback pair = new Loopback().listening()) {
      assertThatThrownBy(() ->
              Await.nonNull(
                  "connect",
                  () -> {
                    assertThat(pair.net.accept(pair.listener)).isNull();
                    return poor.connect(0, pair.handle);
                  }))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(poor.connectsUnderWay()).isZero();
      // The other side got the whole greeting, and then sees the connection end.
      pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
      Request receiving = pair.irecv(pair.register(pair.recv, pair.arena.allocate(8)), 0, 8);
      assertThat(Failures.awaitFailure(() -> pair.net.test(receiving, null)).result())
          .isEqualTo(ResultCode.REMOTE_ERROR);
    }
    try (Loopback pair = new Loopback()) {
      MemorySegment handle = pair.handle();
      ListenComm listener = poor.listen(0, handle);
      pair.send =
          Await.nonNull(
              "connect",
              () -> {
                SendComm made = pair.net.connect(0, handle);
                if (made == null) {
                  assertThat(poor.accept(listener)).isNull();
                }
                return made;
              });
      assertThatThrownBy(() -> Await.nonNull("accept", () -> poor.accept(listener)))
          .isInstanceOf(IllegalArgumentException.class);
      MemoryHandle mr = pair.register(pair.send, pair.random(8, 1));
      assertThat(
              Failures.awaitFailure(
                      () -> {
                        Request sending = pair.net.isend(pair.send, mr, 0, 8, 0);
                        if (sending != null) {
                          pair.net.test(sending, null);
                        }
                      })
                  .result())
          .isEqualTo(ResultCode.REMOTE_ERROR);
      poor.closeListen(listener);
    }
  }

  /** NET-THREAD-04: memory is deregistered on another thread than the one that drives the comm. */
  @Test
  void aThreadThatSpinsSeesTheEndOfARegistration() throws Exception {
    try (Loopback pair = new Loopback().connected()) {
      SocketMemory registration = (SocketMemory) pair.register(pair.send, pair.arena.allocate(64));
      Thread spinning =
          new Thread(() -> {
            while (registration.isLive()) {
              // Nothing else: a plain field would be read once, when this loop has been compiled.
            }
          });
      spinning.setDaemon(true);
      spinning.start();
      long start = System.nanoTime();
      Await.until("compiled loop", () -> System.nanoTime() - start > 500_000_000);
      pair.net.deregMr(pair.send, registration);
      assertThat(spinning.join(Duration.ofSeconds(10))).isTrue();
    }
  }

  /** Sends to itself with several messages in flight; allocates nothing of its own. */
  private static final class Exchange {
    private static final int WINDOW = 4;
    private final Loopback pair;
    private final int size;
    private final MemoryHandle out;
    private final MemoryHandle[] in;
    private final long[] offsets = new long[1];
    private final long[] lengths;
    private final int[] tags = new int[1];
    private final int[] sizes = new int[1];
    private final Request[] sends = new Request[WINDOW];
    private final Request[] receives = new Request[WINDOW];

    Exchange(Loopback pair, int size) {
      this.pair = pair;
      this.size = size;
      this.out = pair.register(pair.send, pair.arena.allocate(size));
      this.in = new MemoryHandle[] {pair.register(pair.recv, pair.arena.allocate(size))};
      this.lengths = new long[] {size};
    }

    void run(int messages) {
      int posted = 0;
      int completed = 0;
      while (completed < messages) {
        for (int i = 0; i < WINDOW; i++) {
          if (sends[i] == null && receives[i] == null && posted < messages) {
            receives[i] = pair.net.irecv(pair.recv, 1, in, offsets, lengths, tags);
            sends[i] = pair.net.isend(pair.send, out, 0, size, i);
            posted++;
          }
          if (sends[i] != null && pair.net.test(sends[i], null)) {
            sends[i] = null;
          }
          if (receives[i] != null && pair.net.test(receives[i], sizes)) {
            receives[i] = null;
            completed++;
          }
        }
      }
      for (int i = 0; i < WINDOW; i++) {
        while (sends[i] != null && !pair.net.test(sends[i], null)) {
          Thread.onSpinWait();
        }
        sends[i] = null;
      }
    }
  }

  @Test
  void aThousandConnectionsLeaveNothingBehind() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors), "no /proc/self/fd here to count descriptors in");
    try (Loopback pair = new Loopback()) {
      useOnce(pair, 10);
      long memory = directMemory();
      long before = count(descriptors);
      int threads = Thread.activeCount();
      useOnce(pair, 1000);
      assertThat(count(descriptors)).isLessThanOrEqualTo(before + 2); // a jar or a log may open
      assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads);
      assertThat(pair.net.connectsUnderWay()).isZero();
      assertThat(directMemory()).isLessThanOrEqualTo(memory + (1 << 20));
    }
  }

  private static void useOnce(Loopback pair, int connections) {
    MemorySegment memory = pair.arena.allocate(1000);
    for (int i = 0; i < connections; i++) {
      pair.listening();
      pair.connect();
      MemoryHandle out = pair.net.regMr(pair.send, Memory.ofHost(memory));
      MemoryHandle in = pair.net.regMr(pair.recv, Memory.ofHost(memory));
      Request receiving = pair.irecv(in, 500, 100);
      pair.complete(pair.net.isend(pair.send, out, 0, 100, 0), receiving);
      if (i % 2 == 0) {
        pair.net.isend(pair.send, out, 0, 100, 0); // closed in flight
      }
      pair.net.closeRecv(pair.recv);
      pair.net.closeSend(pair.send);
      pair.net.closeListen(pair.listener);
      pair.send = null;
      pair.recv = null;
      pair.listener = null;
    }
  }

  @Test
  void aForgottenListenerIsClosedOnceItIsGarbage() throws Exception {
    try (Loopback pair = new Loopback().listening()) {
      int port = HandleBytes.address(pair.handle).getPort();
      pair.listener = null;
      Await.until(
          "port " + port + " is free again",
          () -> {
            System.gc();
            return isFree(port);
          });
    }
  }

  private static boolean isFree(int port) {
    try (var server = new java.net.ServerSocket()) {
      server.bind(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException inUse) {
      return false;
    }
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.count();
    }
  }
}
