// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.ProofRelay;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.control.FrameReader;
import io.nitinol.toolkit.proof.Handshake;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Connections that do not belong to the communicator end soon and disturb nobody. */
class BootstrapStrangerTest {
  private static final int LIMIT_MILLIS = 10_000;
  private static final int HELLO = 52;
  private final RecordedLog log = new RecordedLog();

  private static Socket dial(InetSocketAddress to) throws IOException {
    Socket socket = new Socket(to.getAddress(), to.getPort());
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  /** Reads until the other end closes; fails when that takes too long. */
  private static int bytesUntilClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes().length;
    } catch (IOException e) {
      if (e instanceof SocketTimeoutException) {
        throw new AssertionError("the stranger was not dropped", e);
      }
      return 0; // reset, since what it sent was not read to the end
    }
  }

  /** Everything a stranger may do that ends at once; none may learn anything. */
  private static void misbehave(InetSocketAddress at, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] hello = connector(new byte[16], Kind.JOIN, 0, 4, -1).opening().array();
    for (int i = 0; i < 3; i++) {
      dial(at).close(); // a port scan
      try (Socket http = dial(at)) {
        http.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(bytesUntilClosed(http)).isZero();
      }
      try (Socket garbage = dial(at)) {
        byte[] bytes = new byte[1 + random.nextInt(100_000)];
        random.nextBytes(bytes);
        bytes[0] = 0;
        try {
          garbage.getOutputStream().write(bytes);
        } catch (IOException droppedMeanwhile) {
          continue;
        }
        assertThat(bytesUntilClosed(garbage)).isZero();
      }
      try (Socket half = dial(at)) {
        half.getOutputStream().write(Arrays.copyOf(hello, 1 + random.nextInt(hello.length - 1)));
        half.shutdownOutput();
        assertThat(bytesUntilClosed(half)).isZero();
      }
      try (Socket wrong = dial(at)) { // the hello of a rank, then a proof that is none
        wrong.getOutputStream().write(hello);
        wrong.getOutputStream().write(new byte[32]);
        wrong.shutdownOutput();
        assertThat(bytesUntilClosed(wrong)).isLessThanOrEqualTo(80);
      }
      try (Socket huge = dial(at)) { // a length in place of the proof, before it is proved
        huge.getOutputStream().write(hello);
        huge.getOutputStream()
            .write(ByteBuffer.allocate(64).putInt(Integer.MAX_VALUE).put((byte) 3).array());
        assertThat(bytesUntilClosed(huge)).isLessThanOrEqualTo(80);
      }
    }
  }

  private InetSocketAddress listenerOf(int rank) {
    Pattern pattern = Pattern.compile("rank " + rank + " of \\d+ listens at 127.0.0.1:(\\d+)");
    for (String line : log.lines()) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(matcher.group(1)));
      }
    }
    throw new AssertionError("rank " + rank + " has not said where it listens");
  }

  @Test
  void strangersBeforeAndAfterInitDisturbNobody() throws Exception {
    long seed = System.nanoTime();
    int n = 4;
    Settings settings = BootstrapRanks.settings(30);
    UniqueId id = UniqueId.create(settings, log);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      misbehave(id.roots().getFirst(), seed);
      List<Bootstrap> ranks =
          BootstrapRanks.onEach(n, r -> () -> Bootstrap.connect(id, r, n, settings, log));
      List<Future<?>> strangers = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        InetSocketAddress at = listenerOf(r);
        strangers.add(
            thread.submit(() -> {
              misbehave(at, seed + 1);
              return null;
            }));
      }
      do {
        BootstrapRanks.onEach(n, r -> () -> ranks.get(r).allGather(new byte[] {(byte) r}));
      } while (!strangers.stream().allMatch(Future::isDone));
      for (Future<?> each : strangers) {
        each.get();
      }
      BootstrapRanks.close(ranks);
    }
    assertThat(log.warnings())
        .as("seed %d", seed)
        .allSatisfy(w -> assertThat(w).contains(" dropped a connection from 127.0.0.1:"))
        .anySatisfy(w -> assertThat(w).contains("does not speak Nitinol's protocol"))
        .hasSizeLessThanOrEqualTo(5 * (n + 1) + 1); // a few each, not one per connection
  }

  @Test
  void thousandIdleStrangersAreDropped() throws Exception {
    int n = 2;
    Settings settings = BootstrapRanks.settings(2); // strangers get no longer than members
    UniqueId id = UniqueId.create(settings, log);
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      idle.add(dial(id.roots().getFirst()));
    }
    List<Bootstrap> ranks =
        BootstrapRanks.onEach(n, r -> () -> Bootstrap.connect(id, r, n, settings, log));
    InetSocketAddress at = listenerOf(1);
    for (int i = 0; i < 500; i++) {
      idle.add(dial(at));
    }
    for (Socket each : idle) {
      BootstrapRanks.onEach(n, r -> () -> ranks.get(r).allGather(new byte[0]));
      assertThat(bytesUntilClosed(each)).isZero();
      each.close();
    }
    BootstrapRanks.close(ranks);
    assertThat(log.warnings())
        .allSatisfy(w -> assertThat(w).contains("dropped a connection"))
        .anySatisfy(w -> assertThat(w).contains("too slow: it has sent 0 of 52 bytes"))
        .hasSizeLessThan(20);
  }

  @Test
  void whoSendsAByteNowAndThenIsDroppedToo() throws Exception {
    Settings settings = BootstrapRanks.settings(1);
    List<Bootstrap> ranks = BootstrapRanks.connect(2, settings, log);
    byte[] hello = connector(new byte[16], Kind.PEER, 0, 2, 1).opening().array();
    try (Socket slow = dial(listenerOf(1))) {
      slow.setSoTimeout(50);
      long begin = System.nanoTime();
      InputStream in = slow.getInputStream();
      boolean dropped = false;
      for (int i = 0; i < hello.length && !dropped; i++) {
        try {
          slow.getOutputStream().write(hello[i]);
          dropped = in.read() < 0;
        } catch (SocketTimeoutException notYet) {
          dropped = false;
        } catch (IOException reset) {
          dropped = true;
        }
      }
      assertThat(dropped).isTrue();
      assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
          .isGreaterThanOrEqualTo(800L);
    }
    BootstrapRanks.close(ranks);
  }

  /** One who knows the secret may still lie: about its rank, or in its frames. */
  @Test
  void memberThatLiesIsAFailureAndNoMore() throws Exception {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    List<Bootstrap> ranks =
        BootstrapRanks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log));
    for (int claimed : new int[] {-5, 1, 2, Integer.MAX_VALUE}) { // rank 1 would greet itself
      try (Socket liar = prove(id, claimed, Kind.PEER)) {
        assertThat(bytesUntilClosed(liar)).isZero();
      }
    }
    try (Socket liar = prove(id, 0, Kind.RING)) { // there is a predecessor already
      assertThat(bytesUntilClosed(liar)).isZero();
    }
    BootstrapRanks.close(ranks);
  }

  /**
   * Who has the answer takes the connection as open; without a goodbye it would take the rank,
   * which closes before the proof has come, for dead.
   */
  @Test
  void whoWasAnsweredHearsTheGoodbye() throws Exception {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    List<Bootstrap> ranks =
        BootstrapRanks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log));
    try (Socket late = dial(listenerOf(1));
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Handshake handshake = greet(id, late, 0, Kind.PEER);
      byte[] answer = late.getInputStream().readNBytes(80);
      Future<?> end = thread.submit(ranks.get(1)::close);
      awaitNobodyListens(listenerOf(1));
      late.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
      assertThat(late.getInputStream().readNBytes(FrameReader.PREFIX)).containsOnly(0);
      byte[] word = late.getInputStream().readAllBytes();
      assertThat(word).as("a frame").hasSizeGreaterThanOrEqualTo(Frame.HEADER_BYTES);
      assertThat(FrameType.ofCode(word[Integer.BYTES])).isEqualTo(FrameType.GOODBYE);
      late.close();
      end.get(240, TimeUnit.SECONDS);
    }
    BootstrapRanks.close(ranks);
  }

  /** A rank that the root took for a stranger, and that has not been confirmed, comes again. */
  @Test
  void rankThatTheRootDroppedComesAgain() throws Exception {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    try (ProofRelay relay = new ProofRelay(id.roots().getFirst(), HELLO, 80, nth -> nth > 3)) {
      UniqueId byRelay = UniqueId.atRank0(List.of(relay.address()), id.secret());
      List<Bootstrap> ranks =
          BootstrapRanks.onEach(
              2, r -> () -> Bootstrap.connect(r == 0 ? id : byRelay, r, 2, settings, log));
      BootstrapRanks.onEach(2, r -> () -> ranks.get(r).allGather(new byte[] {(byte) r}));
      assertThat(relay.connections()).isEqualTo(4);
      BootstrapRanks.close(ranks);
    }
    assertThat(log.warnings())
        .allSatisfy(w -> assertThat(w).contains("dropped a connection from 127.0.0.1:"))
        .allSatisfy(w -> assertThat(w).contains("it says it is rank 1"))
        .allSatisfy(w -> assertThat(w).as("no variable was set").doesNotContain("NCCL_COMM_ID"))
        .isNotEmpty();
  }

  /** It is slow and no more: nothing points to its secret, which nobody has set. */
  @Test
  void rankWhoseProofIsLateIsCalledSlow() throws Exception {
    Settings settings = BootstrapRanks.settings(1);
    try (UniqueId id = UniqueId.create(settings, log);
        Socket late = dial(id.roots().getFirst())) {
      late.getOutputStream().write(connector(id.secret(), Kind.JOIN, 1, 2, -1).opening().array());
      assertThat(bytesUntilClosed(late)).isEqualTo(80);
      Await.until("the line about it", () -> !log.warnings().isEmpty());
    }
    assertThat(log.warnings())
        .singleElement(InstanceOfAssertFactories.STRING)
        .endsWith("too slow: it says it is rank 1 and was answered, and its proof has not come");
  }

  private static void awaitNobodyListens(InetSocketAddress at) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
    while (System.nanoTime() < deadline) {
      try {
        dial(at).close();
      } catch (ConnectException closed) {
        return;
      }
      LockSupport.parkNanos(1_000_000);
    }
    throw new AssertionError(at + " is still listened at");
  }

  private static Handshake connector(byte[] secret, Kind kind, int rank, int ranks, int peer) {
    RankGreeting greeting =
        RankGreeting.connector(new JobSecret(secret, true), kind, rank, ranks, peer);
    return new Handshake(RankGreeting.PROTOCOL.handshake(), Role.CONNECTOR, greeting);
  }

  private static Handshake greet(UniqueId id, Socket socket, int claimed, Kind kind)
      throws IOException {
    Handshake handshake = connector(id.secret(), kind, claimed, 2, 1);
    socket.getOutputStream().write(handshake.opening().array());
    return handshake;
  }

  private Socket prove(UniqueId id, int claimed, Kind kind) throws Exception {
    Socket socket = dial(listenerOf(1));
    Handshake handshake = greet(id, socket, claimed, kind);
    byte[] answer = socket.getInputStream().readNBytes(80);
    socket.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
    assertThat(socket.getInputStream().readNBytes(FrameReader.PREFIX)).containsOnly(0);
    return socket;
  }
}
