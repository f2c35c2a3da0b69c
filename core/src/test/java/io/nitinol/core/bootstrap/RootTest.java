// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.proof.Handshake;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Where the root listens, and when it ends. */
class RootTest {
  private static final byte[] SECRET = new byte[16];
  private static final Duration NEWS = Duration.ofMillis(200);
  private final RecordedLog log = new RecordedLog();

  /** Waits until nobody listens there any more. */
  private static void awaitFree(InetSocketAddress address) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(address);
        return;
      } catch (BindException e) {
        assertThat(System.nanoTime() - deadline).as("still listens at " + address).isNegative();
        Thread.onSpinWait();
      }
    }
  }

  private static InetSocketAddress at(String ip, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(ip), port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private Root start(int timeout, Duration unused, List<InetSocketAddress> at) {
    return Root.start(at, new JobSecret(SECRET, true), timeout, unused, NEWS, log);
  }

  @Test
  void endsWhereNobodyComes() throws Exception {
    Root root = start(5, Duration.ofMillis(300), List.of(at("127.0.0.1", 0)));
    awaitFree(root.address());
    assertThat(log.warnings())
        .anySatisfy(
            w -> assertThat(w).contains("no rank has come").contains("NITINOL_BOOTSTRAP_TIMEOUT"));
  }

  /** The system resets a connection that the root has not accepted before it ended. */
  private static boolean isOver(Socket stranger) throws IOException {
    try {
      return stranger.getInputStream().read() < 0;
    } catch (SocketException e) {
      return String.valueOf(e.getMessage()).contains("reset");
    }
  }

  @Test
  void endsAtOnceWhenTheIdIsWithdrawn() throws Exception {
    UniqueId id = UniqueId.create(BootstrapRanks.settings(60), log);
    UniqueId copy = UniqueId.parse(id.toString());
    copy.close(); // has no root of its own
    try (Socket stranger =
        new Socket(id.roots().getFirst().getAddress(), id.roots().getFirst().getPort())) {
      assertThat(stranger.isConnected()).isTrue();
      id.close();
      id.close();
      assertThat(isOver(stranger)).isTrue();
    }
    awaitFree(id.roots().getFirst());
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void whoCameIsToldThatTheIdWasWithdrawn() throws Exception {
    Root root = start(60, Duration.ofSeconds(60), List.of(at("127.0.0.1", 0)));
    try (Socket rank = new Socket(root.address().getAddress(), root.address().getPort())) {
      join(rank);
      // Once two others have been answered, one after the other, the root has seen this one too.
      for (int i = 0; i < 2; i++) {
        try (Socket other = new Socket(root.address().getAddress(), root.address().getPort())) {
          greet(other);
          assertThat(other.getInputStream().readNBytes(80)).hasSize(80);
        }
      }
      root.withdraw();
      assertThat(rank.getInputStream().readNBytes(FrameReader.PREFIX)).containsOnly(0);
      byte[] told = rank.getInputStream().readAllBytes();
      byte[] frame = new FrameReader(Frame.MAX_BYTES).read(ByteBuffer.wrap(told));
      assertThat(frame).isNotNull();
      Frame refusal = Frame.decode(frame);
      assertThat(refusal.type()).isEqualTo(FrameType.REFUSAL);
      assertThat(refusal.text()).contains("has withdrawn it before all ranks had come");
    }
    awaitFree(root.address());
  }

  @Test
  void whoCameIsToldOfAProcessThatEndedBeforeItCame() throws Exception {
    Root root = start(60, Duration.ofSeconds(60), List.of(at("127.0.0.1", 0)));
    try (Socket rank = new Socket(root.address().getAddress(), root.address().getPort())) {
      root.ended(1, 3, "of another number of processes");
      root.ended(2, 3, "of no rank");
      join(rank);
      for (int i = 0; i < 2; i++) {
        try (Socket other = new Socket(root.address().getAddress(), root.address().getPort())) {
          greet(other);
          assertThat(other.getInputStream().readNBytes(80)).hasSize(80);
        }
      }
      root.ended(0, 2, "of the rank that has come");
      root.ended(1, 2, "rank 1 ended");
      assertThat(rank.getInputStream().readNBytes(FrameReader.PREFIX)).containsOnly(0);
      byte[] told = rank.getInputStream().readAllBytes();
      byte[] frame = new FrameReader(Frame.MAX_BYTES).read(ByteBuffer.wrap(told));
      assertThat(frame).isNotNull();
      assertThat(Frame.decode(frame).text()).isEqualTo("rank 1 ended");
    } finally {
      root.withdraw();
    }
  }

  /** Nobody has to guess for whom the others wait, nor why somebody who came is not there. */
  @Test
  void saysAgainAndAgainWhoIsMissingAndWhoWasTurnedAway() throws Exception {
    Root root = start(60, Duration.ofSeconds(60), List.of(at("127.0.0.1", 0)));
    InetSocketAddress at = root.address();
    try (Socket rank = new Socket(at.getAddress(), at.getPort())) {
      for (int i = 0; i < 2; i++) {
        try (Socket other = new Socket(at.getAddress(), at.getPort())) {
          greet(other, new byte[] {1}, 1);
          assertThat(other.getInputStream().readNBytes(80)).hasSize(80);
        }
      }
      try (Socket browser = new Socket(at.getAddress(), at.getPort())) {
        browser.getOutputStream().write('G');
        browser.shutdownOutput();
        browser.getInputStream().readAllBytes();
      }
      join(rank);
      long begun = System.nanoTime();
      while (news().size() < 2) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(NEWS.multipliedBy(3));
    } finally {
      root.withdraw();
    }
    assertThat(news())
        .allSatisfy(line ->
            assertThat(line)
                .contains("waiting for ranks at " + Address.text(at))
                .contains("60 s at most (NITINOL_BOOTSTRAP_TIMEOUT)")
                .contains(": rank 0 of 2 came, not yet: rank 1; 3 connections were turned away: ")
                .contains("2 x the connection was closed: it says it is rank 1 and has not proved")
                .contains("NITINOL_COMM_SECRET another one?")
                .contains("1 x it does not speak Nitinol's protocol"));
  }

  private List<String> news() {
    return log.warnings().stream().filter(line -> line.contains("not yet: ")).toList();
  }

  /** Reports as rank 0 of 2. */
  private static void join(Socket root) throws Exception {
    root.setSoTimeout(10_000);
    root.setTcpNoDelay(true);
    Handshake handshake = greet(root);
    byte[] where = Address.encode(at("127.0.0.1", 4711));
    byte[] answer = root.getInputStream().readNBytes(80);
    root.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
    root.getOutputStream().write(new Frame(FrameType.JOIN, 0, where).encode().array());
  }

  private static Handshake greet(Socket root) throws IOException {
    return greet(root, SECRET, 0);
  }

  private static Handshake connector(byte[] secret, Kind kind, int rank, int ranks, int peer) {
    RankGreeting greeting =
        RankGreeting.connector(new JobSecret(secret, true), kind, rank, ranks, peer);
    return new Handshake(RankGreeting.PROTOCOL.handshake(), Role.CONNECTOR, greeting);
  }

  private static Handshake greet(Socket root, byte[] secret, int rank) throws IOException {
    Handshake handshake = connector(secret, Kind.JOIN, rank, 2, RankGreeting.ROOT);
    root.getOutputStream().write(handshake.opening().array());
    return handshake;
  }

  @Test
  void usedIdMayBeClosed() {
    Settings settings = BootstrapRanks.settings(20);
    List<Bootstrap> ranks;
    try (UniqueId id = UniqueId.create(settings, log)) {
      ranks = BootstrapRanks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log));
    }
    BootstrapRanks.onEach(2, r -> () -> ranks.get(r).allGather(new byte[1]));
    BootstrapRanks.close(ranks);
    assertThat(log.warnings()).isEmpty();
  }

  /** Rank 0 that cannot go on must not keep the port. */
  @Test
  void endsWithRankZeroThatCannotStart() throws Exception {
    InetSocketAddress address = at("127.0.0.1", freePort());
    UniqueId id = UniqueId.atRank0(List.of(address), SECRET);
    Settings settings = BootstrapRanks.settings(60, "NCCL_SOCKET_IFNAME", "=wlan7");
    assertThatThrownBy(() -> Bootstrap.connect(id, 0, 2, settings, log))
        .hasMessageContaining("=wlan7");
    awaitFree(address);
  }

  @Test
  void listensAtTheFirstOfItsOwnAddresses() throws Exception {
    // 203.0.113.0/24 is for documentation, no host has an address of it.
    InetSocketAddress foreign = at("203.0.113.77", freePort());
    InetSocketAddress own = at("127.0.0.1", foreign.getPort());
    Root root = start(5, Duration.ofSeconds(5), List.of(foreign, own));
    assertThat(root.address()).isEqualTo(own);
    assertThatThrownBy(() -> start(5, Duration.ofSeconds(5), List.of(foreign, own)))
        .hasMessageContaining("cannot listen at 203.0.113.77:" + foreign.getPort())
        .hasMessageContaining("; nor at 127.0.0.1:" + foreign.getPort());
    root.withdraw();
    awaitFree(own);
  }

  /** One refuses, one is somebody else, one never answers, the last is the root. */
  @Test
  void allAddressesAreTried() throws Exception {
    int port = freePort();
    InetAddress other = InetAddress.getByName("127.0.0.4");
    InetAddress silent = InetAddress.getByName("127.0.0.5");
    Settings settings = BootstrapRanks.settings(20);
    try (ServerSocket web = new ServerSocket(port, 10, other);
        ServerSocket hung = new ServerSocket(port, 10, silent)) {
      Thread.startVirtualThread(() -> answer(web));
      UniqueId first = UniqueId.atRank0(List.of(at("127.0.0.1", port)), SECRET);
      UniqueId second =
          UniqueId.atRank0(
              List.of(
                  at("127.0.0.3", port),
                  new InetSocketAddress(other, port),
                  new InetSocketAddress(silent, hung.getLocalPort()),
                  at("127.0.0.1", port)),
              SECRET);
      List<Bootstrap> ranks =
          BootstrapRanks.onEach(
              2, r -> () -> Bootstrap.connect(r == 0 ? first : second, r, 2, settings, log));
      BootstrapRanks.close(ranks);
    }
    assertThat(log.warnings()).isEmpty();
  }

  private static void answer(ServerSocket web) {
    while (!web.isClosed()) {
      try (Socket client = web.accept()) {
        client
            .getOutputStream()
            .write(
                "HTTP/1.1 400 Bad Request\r\n\r\n".repeat(9).getBytes(StandardCharsets.US_ASCII));
      } catch (IOException closed) {
        Thread.onSpinWait(); // by the client, or at the end of the test
      }
    }
  }
}
