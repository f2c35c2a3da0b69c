// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Far more strangers at one listener than it keeps. */
class CrowdTest {
  private static final int STRANGERS = 10_000;

  /** For how long accepting may fail before a listener does more than to try again. */
  private static final int FAILING_SECONDS = 5;

  /**
   * Ten thousand that connect and say nothing, each of which comes again as soon as it has been
   * dropped, so that their number stays what it is. Peers get through all the same.
   */
  @Test
  void tenThousandIdleStrangersKeepNoPeerOut() throws Exception {
    assumeDescriptors(STRANGERS + 1_000);
    AtomicBoolean end = new AtomicBoolean();
    AtomicInteger standing = new AtomicInteger();
    AtomicInteger dropped = new AtomicInteger();
    try (Loopback pair =
            new Loopback(
                    "NCCL_SOCKET_NTHREADS",
                    "2",
                    "NCCL_NSOCKS_PERTHREAD",
                    "1",
                    "NITINOL_SOCKET_CONNECT_MSEC",
                    "3600000",
                    "NITINOL_SOCKET_HANDSHAKE_MSEC",
                    "3600000")
                .listening();
        ExecutorService outside = Executors.newSingleThreadExecutor()) {
      InetSocketAddress address = HandleBytes.address(pair.handle);
      Future<?> crowd = outside.submit(() -> crowd(address, end, standing, dropped));
      try {
        Await.until(
            "ten thousand strangers",
            () -> {
              assertThat(pair.net.accept(pair.listener)).isNull();
              return standing.get() + dropped.get() >= STRANGERS;
            });
        int before = dropped.get();
        List<SocketComm> ends = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          pair.connect(); // within the test's time, since the plugin's own is longer
          ends.add((SocketComm) pair.send);
          ends.add((SocketComm) pair.recv);
          pair.send = null;
          pair.recv = null;
        }
        System.err.println(
            "tenThousandIdleStrangersKeepNoPeerOut: "
                + before
                + " dropped before and "
                + (dropped.get() - before)
                + " while 20 peers connected");
        ends.forEach(SocketComm::close);
      } finally {
        end.set(true);
      }
      crowd.get();
      assertThat(dropped.get()).isGreaterThan(STRANGERS / 2);
      assertThat(pair.log.warnings).hasSizeBetween(8, 40);
    }
  }

  /** Keeps {@link #STRANGERS} connections until {@code end}. */
  private static void crowd(
      InetSocketAddress address, AtomicBoolean end, AtomicInteger standing, AtomicInteger dropped) {
    Deque<SocketChannel> strangers = new ArrayDeque<>();
    ByteBuffer nothing = ByteBuffer.allocate(1);
    try {
      while (!end.get()) {
        for (int i = 0; i < 100 && strangers.size() < STRANGERS; i++) {
          strangers.addLast(knock(address));
        }
        standing.set(strangers.size());
        for (int i = 0; i < 500 && !strangers.isEmpty(); i++) {
          SocketChannel oldest = strangers.removeFirst();
          if (isGone(oldest, nothing)) {
            oldest.close();
            dropped.incrementAndGet();
          } else {
            strangers.addLast(oldest);
          }
        }
        LockSupport.parkNanos(100_000);
      }
      for (SocketChannel each : strangers) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SocketChannel knock(InetSocketAddress address) throws IOException {
    SocketChannel stranger = SocketChannel.open();
    stranger.configureBlocking(false);
    stranger.setOption(StandardSocketOptions.SO_LINGER, 0); // leaves no TIME_WAIT behind
    stranger.connect(address);
    return stranger;
  }

  private static boolean isGone(SocketChannel stranger, ByteBuffer nothing) {
    try {
      return stranger.finishConnect() && stranger.read(nothing.clear()) < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  /** Strangers that take all the descriptors of the listening process do not end its listener. */
  @Test
  void strangersThatTakeAllDescriptorsKeepNoPeerOut() throws Exception {
    try (Loopback here = new Loopback("NCCL_SOCKET_RETRY_SLEEP_MSEC", "5");
        PeerProcess peer = PeerProcess.startWithDescriptors(120, "acceptTwice", "")) {
      here.handle = here.handle();
      PeerProcess.unhex(peer.expect("handle"), here.handle);
      // The first connection loads the classes from their files, for which there is room now.
      SendComm first = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
      peer.expect("accepted");
      InetSocketAddress address = HandleBytes.address(here.handle);
      List<SocketChannel> strangers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        strangers.add(knock(address));
      }
      ByteBuffer nothing = ByteBuffer.allocate(1);
      Await.until(
          "a stranger is dropped for want of descriptors",
          () -> strangers.stream().anyMatch(each -> isGone(each, nothing)));
      here.send = Await.nonNull("connect", () -> here.net.connect(0, here.handle));
      peer.expect("accepted");
      MemorySegment out = here.random(100, 1);
      var sending = here.net.isend(here.send, here.register(here.send, out), 0, 100, 0);
      Await.until("a message", () -> here.net.test(sending, null));
      here.net.closeSend(first);
      for (SocketChannel each : strangers) {
        each.close();
      }
    }
  }

  /**
   * A process that has descriptors for its connections only connects; one that lacks even those
   * says so of itself. Neither holds its peer for gone, which has closed its listener meanwhile.
   */
  @ParameterizedTest
  @CsvSource({
    "0, failed SYSTEM_ERROR cannot connect to .*Too many open files.*",
    "1, connected PlainWire",
    "2, connected NativeWire"
  })
  void aProcessWithoutDescriptorsDoesNotBlameThePeer(int left, String expected) throws Exception {
    try (Loopback here = new Loopback().listening();
        PeerProcess peer =
            PeerProcess.startWithDescriptors(120, "connectWithout", Integer.toString(left))) {
      peer.expect("ready");
      peer.tell(PeerProcess.hex(here.handle));
      if (left > 0) {
        here.recv = Await.nonNull("accept", () -> here.net.accept(here.listener));
        here.net.closeListen(here.listener);
        here.listener = null;
      }
      assertThat(peer.expect("")).matches(expected);
    }
  }

  /**
   * A process accepts its peer with the last descriptor it has, and does not drop that connection
   * in favour of one that does not exist. One that has too few reports itself.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1, accepted",
    "2, 1, accepted",
    "1, 8, failed SYSTEM_ERROR .* cannot accept a connection: .*Too many open files.*"
  })
  void aProcessAcceptsWithItsLastDescriptor(int left, int streams, String expected)
      throws Exception {
    try (PeerProcess peer =
            PeerProcess.startWithDescriptors(120, "acceptWithout", left + "," + streams);
        Loopback here = new Loopback()) {
      here.handle = here.handle();
      PeerProcess.unhex(peer.expect("handle"), here.handle);
      CompletableFuture<String> outcome = CompletableFuture.supplyAsync(() -> outcome(peer));
      Await.until(
          "the other process's outcome",
          () -> {
            if (here.send == null) {
              here.send = here.net.connect(0, here.handle);
            }
            return outcome.isDone();
          });
      assertThat(outcome.join()).matches(expected);
    }
  }

  /**
   * A connection that is slow to say who it is has taken the last descriptor, and no other waits:
   * it is not dropped, however long accepting fails.
   */
  @Test
  void theLastDescriptorIsNotTakenBackForNobody() throws Exception {
    try (PeerProcess peer =
            PeerProcess.startWithDescriptors(
                120, "pollWithout", Integer.toString(FAILING_SECONDS + 1));
        Loopback here = new Loopback()) {
      here.handle = here.handle();
      PeerProcess.unhex(peer.expect("handle"), here.handle);
      try (SocketChannel slow = knock(HandleBytes.address(here.handle))) {
        while (!slow.finishConnect()) {
          Thread.onSpinWait();
        }
        peer.tell("go on");
        assertThat(peer.expect("")).isEqualTo("dropped 0");
        assertThat(isGone(slow, ByteBuffer.allocate(1))).isFalse();
      }
    }
  }

  private static String outcome(PeerProcess peer) {
    try {
      return peer.expect("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assumeDescriptors(long needed) {
    long limit =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : 0;
    assumeTrue(
        limit >= needed,
        () -> needed + " open files are needed and " + limit + " allowed (ulimit -n)");
  }
}
