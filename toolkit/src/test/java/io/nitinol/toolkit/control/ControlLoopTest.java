// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.ProofRelay;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Handshake;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final RecordingLog log = new RecordingLog();
  private final Heard atServer = new Heard();
  private final Heard atClient = new Heard();
  private final BlockingQueue<ControlLink> accepted = new LinkedBlockingQueue<>();
  private final List<ControlLoop> loops = new ArrayList<>();
  private ControlLoop server;
  private ControlLoop client;
  private ControlListener listener;

  /** What one side was told. */
  private static final class Heard implements ControlLink.Events {
    private final BlockingQueue<ControlLink> opened = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private volatile boolean broken;

    @Override
    public void opened(ControlLink link) {
      opened.add(link);
    }

    @Override
    public void received(ControlLink link, byte[] frame) {
      frames.add(frame);
    }

    @Override
    public void closed(ControlLink link, boolean proven, String reason) {
      ends.add(reason);
      if (broken) {
        throw new IllegalStateException("a defect of the owner");
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = loop("server", 0);
    client = loop("client", 0);
    listener = listen(server, channel -> channel::accept);
    server.start(defect -> {});
    client.start(defect -> {});
  }

  private ControlLoop loop(String name, long silenceNanos) throws IOException {
    ControlLoop loop = new ControlLoop(name, TestGreeting.protocol(silenceNanos), log);
    loops.add(loop);
    return loop;
  }

  private ControlListener listen(
      ControlLoop at, Function<ServerSocketChannel, ControlListener.Source> source)
      throws IOException {
    return listen(at, source, Duration.ofMinutes(1));
  }

  private ControlListener listen(
      ControlLoop at, Function<ServerSocketChannel, ControlListener.Source> source, Duration proof)
      throws IOException {
    return at.listen(
        ANY,
        "the listener",
        new StrangerLimits(Duration.ofSeconds(10), proof),
        () -> TestGreeting.acceptor(TestGreeting.SECRET),
        link -> {
          accepted.add(link);
          return atServer;
        },
        source);
  }

  @AfterEach
  void close() throws InterruptedException {
    for (ControlLoop each : loops) {
      end(each);
    }
  }

  private static void end(ControlLoop loop) throws InterruptedException {
    loop.execute(() -> loop.drain(TimeUnit.SECONDS.toNanos(2)));
    assertThat(loop.join(Duration.ofSeconds(240))).isTrue();
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(240, TimeUnit.SECONDS);
    assertThat(next).as("something within 240 s").isNotNull();
    return next;
  }

  /** An owner that takes another way where one ends, as a notice around a ring does. */
  @Test
  void nothingIsDialledOnceTheLoopHasEnded() throws Exception {
    try (ServerSocketChannel mute = ServerSocketChannel.open().bind(ANY)) {
      List<InetSocketAddress> there = List.of((InetSocketAddress) mute.getLocalAddress());
      AtomicInteger ended = new AtomicInteger();
      ControlLink.Events again =
          new ControlLink.Events() {
            @Override
            public void opened(ControlLink link) {}

            @Override
            public void received(ControlLink link, byte[] frame) {}

            @Override
            public void closed(ControlLink link, boolean proven, String reason) {
              ended.incrementAndGet();
              dialMute(there, this);
            }
          };
      client.execute(() -> dialMute(there, again));
      try (SocketChannel first = mute.accept()) {
        client.execute(() -> client.drain(1));
        assertThat(client.join(LIMIT)).isTrue();
        assertThat(first.isOpen()).isTrue();
      }
      assertThat(ended).hasValue(1);
      mute.configureBlocking(false);
      assertThat(mute.accept()).as("another connection").isNull();
    }
  }

  private ControlListener listenAt(InetSocketAddress address) throws IOException {
    return server.listen(
        address,
        "a late listener",
        new StrangerLimits(LIMIT, LIMIT),
        () -> TestGreeting.acceptor(TestGreeting.SECRET),
        link -> atServer);
  }

  @Test
  void nobodyListensOnceTheLoopHasEnded() throws Exception {
    end(server);
    try (ServerSocketChannel before = ServerSocketChannel.open()) {
      before.bind(ANY);
      InetSocketAddress there = (InetSocketAddress) before.getLocalAddress();
      before.close();
      assertThatThrownBy(() -> listenAt(there))
          .isInstanceOf(IOException.class)
          .hasMessage("server has ended");
      assertThatThrownBy(() -> new Socket(there.getAddress(), there.getPort()).close())
          .isInstanceOf(ConnectException.class);
    }
    assertThat(server.execute(() -> {})).isFalse();
  }

  /** The loop has a link that does not end, so that it goes on. */
  @Test
  void aListenerThatComesWhileTheLoopEndsGivesItsAddressBack() throws Exception {
    try (Socket lasting = new Socket()) {
      prove(lasting, listener.address());
      next(accepted);
      server.execute(() -> server.drain(LIMIT.multipliedBy(100).toNanos()));
      InetSocketAddress there = listenAt(ANY).address();
      CompletableFuture<Boolean> isDraining = new CompletableFuture<>();
      server.execute(() -> isDraining.complete(server.isDraining()));
      assertThat(isDraining.get(240, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> new Socket(there.getAddress(), there.getPort()).close())
          .isInstanceOf(ConnectException.class);
    }
  }

  private void dialMute(List<InetSocketAddress> to, ControlLink.Events events) {
    client
        .dial(to, Patience.BRIEF, LIMIT, TestGreeting.connector(TestGreeting.SECRET), events)
        .send(ByteBuffer.allocate(8));
  }

  private ControlLink connect(byte[] secret) throws Exception {
    return dial(listener.address(), secret, Patience.WHILE_STARTING, LIMIT);
  }

  private ControlLink dial(InetSocketAddress to, byte[] secret, Patience patience, Duration limit)
      throws Exception {
    CompletableFuture<ControlLink> link = new CompletableFuture<>();
    client.execute(() ->
        link.complete(
            client.dial(List.of(to), patience, limit, TestGreeting.connector(secret), atClient)));
    return link.get(240, TimeUnit.SECONDS);
  }

  private static ByteBuffer frame(byte... bytes) {
    return ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).flip();
  }

  private static void send(ControlLoop loop, ControlLink link, byte... bytes) {
    loop.execute(() -> link.send(frame(bytes)));
  }

  @Test
  void framesOfAnySizeGoBothWaysInOrder() throws Exception {
    ControlLink link = connect(TestGreeting.SECRET);
    byte[] large = new byte[TestGreeting.MOST_FRAME];
    Arrays.fill(large, (byte) 7);
    send(client, link, large);
    for (int i = 0; i < 300; i++) {
      send(client, link, (byte) i, (byte) (i >> 8));
    }
    assertThat(next(atServer.frames)).isEqualTo(large);
    for (int i = 0; i < 300; i++) {
      assertThat(next(atServer.frames)).containsExactly(i & 0xff, i >> 8);
    }
    ControlLink other = next(accepted);
    assertThat(other.local()).isEqualTo(InetAddress.getLoopbackAddress());
    send(server, other, (byte) 1);
    send(server, other, large);
    assertThat(next(atClient.frames)).containsExactly(1);
    assertThat(next(atClient.frames)).isEqualTo(large);
  }

  @Test
  void whatWasSentBeforeTheFinishArrivesAndThenTheEnd() throws Exception {
    ControlLink link = connect(TestGreeting.SECRET);
    next(accepted);
    send(client, link, (byte) 3);
    client.execute(link::finish);
    assertThat(next(atServer.frames)).containsExactly(3);
    assertThat(next(atServer.ends)).contains("closed the connection");
  }

  @Test
  void whatIsSentBeforeTheProofsArrivesEvenIfTheLinkFinishes() throws Exception {
    client.execute(() -> {
      ControlLink link =
          client.dial(
              List.of(listener.address()),
              Patience.UNTIL_DEADLINE,
              LIMIT,
              TestGreeting.connector(TestGreeting.SECRET),
              atClient);
      link.send(frame((byte) 8));
      link.finish();
    });
    assertThat(next(atServer.frames)).containsExactly(8);
    assertThat(next(atServer.ends)).contains("closed the connection");
  }

  @Test
  void anotherSecretIsToldAsSuch() throws Exception {
    ControlLink link = connect(new byte[] {1});
    assertThat(next(atClient.ends)).contains("another secret");
    assertThat(link.isRefused()).isTrue();
    assertThat(accepted).isEmpty();
  }

  @Test
  void anEndThatIsNotThereIsTriedUntilTheLimit() throws Exception {
    server.execute(listener::close);
    long start = System.nanoTime();
    dial(listener.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, Duration.ofMillis(700));
    next(atClient.ends);
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(600));
  }

  @Test
  void strangersAreDroppedAndHarmNobody() throws Exception {
    ControlLink link = connect(TestGreeting.SECRET);
    next(accepted);
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[1 + random.nextInt(200)];
      random.nextBytes(noise);
      try (Socket stranger = new Socket()) {
        stranger.connect(listener.address(), 10_000);
        stranger.setSoTimeout(20_000);
        stranger.getOutputStream().write(noise);
        stranger.shutdownOutput();
        assertThat(isEnded(stranger.getInputStream())).isTrue();
      }
    }
    send(client, link, (byte) 1);
    assertThat(next(atServer.frames)).containsExactly(1);
    assertThat(log.warnings)
        .anyMatch(
            line -> line.matches("the listener on 127.0.0.1:\\d+ dropped a connection from 127.*"));
    assertThat(log.warnings).anyMatch(line -> line.contains("(the 256th so dropped)"));
    assertThat(log.warnings).hasSizeLessThan(40);
    CompletableFuture<String> summary = new CompletableFuture<>();
    server.execute(() -> summary.complete(listener.turnedAway()));
    assertThat(summary.get(240, TimeUnit.SECONDS)).startsWith("; 300 connections were turned away");
  }

  private static boolean isEnded(InputStream in) throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true; // a reset
    }
  }

  @Test
  void aCrowdThatSaysNothingLeavesRoomForMembers() throws Exception {
    List<Socket> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket silent = new Socket();
        crowd.add(silent);
        silent.connect(listener.address(), 10_000);
      }
      send(client, connect(TestGreeting.SECRET), (byte) 1);
      assertThat(next(atServer.frames)).containsExactly(1);
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  private ControlListener narrow() throws IOException {
    ControlProtocol narrow =
        new ControlProtocol(
            TestGreeting.FORMAT, TestGreeting.MOST_FRAME, 4 << 20, 0, 8, 8, "n", LogSubsystem.NET);
    ControlLoop loop = new ControlLoop("narrow", narrow, log);
    loops.add(loop);
    ControlListener at = listen(loop, channel -> channel::accept);
    loop.start(defect -> {});
    return at;
  }

  private static void close(List<Socket> all) throws IOException {
    for (Socket each : all) {
      each.close();
    }
  }

  /** Each of the crowd is known to be dropped: the first of them have ended when this goes on. */
  @Test
  void aCrowdThatSaysNothingDoesNotPushOutAnEndThatWasAnswered() throws Exception {
    ControlListener at = narrow();
    List<Socket> crowd = new ArrayList<>();
    try (Socket slow = new Socket(at.address().getAddress(), at.address().getPort())) {
      Handshake handshake = hello(slow, TestGreeting.connector(TestGreeting.SECRET));
      byte[] answer = slow.getInputStream().readNBytes(TestGreeting.ANSWER);
      for (int i = 0; i < 20; i++) {
        crowd.add(new Socket(at.address().getAddress(), at.address().getPort()));
      }
      for (Socket each : crowd.subList(0, 13)) {
        assertThat(isEnded(each.getInputStream())).isTrue();
      }
      slow.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
      assertThat(next(accepted)).isNotNull();
    } finally {
      close(crowd);
    }
  }

  /** Anybody can repeat a hello, and is answered then. */
  @Test
  void aCrowdThatWasAnsweredLeavesRoomForAnEndThatHasSaidNothingYet() throws Exception {
    ControlListener at = narrow();
    List<Socket> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        crowd.add(answered(at.address(), 1));
      }
      try (Socket slow = new Socket(at.address().getAddress(), at.address().getPort())) {
        assertThat(isEnded(crowd.getFirst().getInputStream())).isTrue();
        for (int i = 0; i < 3; i++) {
          crowd.add(answered(at.address(), 1));
        }
        Handshake handshake = hello(slow, TestGreeting.connector(TestGreeting.SECRET));
        byte[] answer = slow.getInputStream().readNBytes(TestGreeting.ANSWER);
        slow.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
        assertThat(next(accepted)).isNotNull();
      }
    } finally {
      close(crowd);
    }
  }

  /** A firewall's refusal of one connection, say. */
  @Test
  void aConnectionThatFailsByItselfCostsNobodyElseItsPlace() throws Exception {
    AtomicBoolean refuses = new AtomicBoolean();
    ControlListener at =
        listen(
            server,
            channel ->
                () -> {
                  if (refuses.getAndSet(false)) {
                    throw new IOException("Operation not permitted");
                  }
                  return channel.accept();
                });
    try (Socket _ = answered(at.address(), 1)) { // whose end would be a second warning
      refuses.set(true);
      send(
          client,
          dial(at.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, LIMIT),
          (byte) 1);
      assertThat(next(atServer.frames)).containsExactly(1);
      assertThat(refuses).isFalse();
      assertThat(log.warnings).singleElement().asString().contains("Operation not permitted");
    }
  }

  @Test
  void withoutDescriptorsItTriesAgainNowAndThen() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    AtomicBoolean full = new AtomicBoolean(true);
    ControlListener at =
        listen(
            server,
            channel ->
                () -> {
                  attempts.incrementAndGet();
                  if (full.get()) {
                    throw new IOException("Too many open files");
                  }
                  return channel.accept();
                });
    ControlLink link = dial(at.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, LIMIT);
    send(client, link, (byte) 1);
    Await.until("the first attempts", () -> attempts.get() >= 3);
    long start = System.nanoTime();
    int before = attempts.get();
    Await.until("further ones", () -> attempts.get() >= before + 5);
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
    full.set(false);
    assertThat(next(atServer.frames)).containsExactly(1);
    assertThat(log.warnings)
        .anyMatch(line -> line.contains("cannot accept a connection: Too many open"));
  }

  /** Accepting the last descriptor's connection is followed by a refusal, though none waits. */
  @Test
  void theLastDescriptorIsThePeers() throws Exception {
    ControlListener at =
        listen(
            server,
            channel ->
                () -> {
                  SocketChannel next = channel.accept();
                  if (next == null) {
                    throw new IOException("Too many open files");
                  }
                  return next;
                });
    ControlLink link = dial(at.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, LIMIT);
    send(client, link, (byte) 1);
    assertThat(next(atServer.frames)).containsExactly(1);
    assertThat(log.warnings).isEmpty();
  }

  @Test
  void anEndThatIsStalledIsGivenUpAndOneThatIsIdleIsNot() throws Exception {
    long silence = TimeUnit.SECONDS.toNanos(4); // the idle one gives a sign of life every second
    ControlLoop strict = loop("strict", silence);
    ControlListener at = listen(strict, channel -> channel::accept);
    strict.start(defect -> {});
    client = loop("lively", silence);
    client.start(defect -> {});
    ControlLink idle = dial(at.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, LIMIT);
    next(accepted);
    try (Socket stalled = new Socket()) {
      prove(stalled, at.address());
      assertThat(next(atServer.ends)).contains("it was silent for 4000 ms");
      assertThat(atServer.ends).isEmpty();
      assertThat(atClient.ends).isEmpty();
      assertThat(idle.isOpen()).isTrue();
      assertThat(atServer.frames).as("signs of life are no frames").isEmpty();
    }
  }

  /** One that falls silent after the pause is given up, so the paused one would have been. */
  @Test
  void aPausedLinkIsNotGivenUpForWhatItDoesNotRead() throws Exception {
    long silence = TimeUnit.SECONDS.toNanos(4);
    ControlLoop strict = loop("strict", silence);
    ControlListener at = listen(strict, channel -> channel::accept);
    strict.start(defect -> {});
    client = loop("lively", silence);
    client.start(defect -> {});
    ControlLink lively = dial(at.address(), TestGreeting.SECRET, Patience.WHILE_STARTING, LIMIT);
    ControlLink paused = next(accepted);
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    strict.execute(() -> {
      paused.pause();
      done.complete(true);
    });
    assertThat(done.get(240, TimeUnit.SECONDS)).isTrue();
    send(client, lively, (byte) 1);
    try (Socket stalled = new Socket()) {
      prove(stalled, at.address());
      assertThat(next(accepted)).isNotSameAs(paused);
      assertThat(next(atServer.ends)).contains("it was silent for 4000 ms");
    }
    assertThat(paused.isOpen()).isTrue();
    assertThat(atServer.frames).isEmpty();
    strict.execute(paused::resume);
    assertThat(next(atServer.frames)).containsExactly(1);
    assertThat(atServer.ends).isEmpty();
  }

  /** Says what a connecting end says until it is proven, and nothing more. */
  private static void prove(Socket socket, InetSocketAddress to) throws Exception {
    socket.connect(to, 10_000);
    Handshake handshake =
        new Handshake(
            TestGreeting.FORMAT, Role.CONNECTOR, TestGreeting.connector(TestGreeting.SECRET));
    socket.getOutputStream().write(handshake.opening().array());
    byte[] answer = socket.getInputStream().readNBytes(TestGreeting.ANSWER);
    socket.getOutputStream().write(handshake.advance(ByteBuffer.wrap(answer)).array());
  }

  private static Handshake hello(Socket socket, TestGreeting greeting) throws IOException {
    Handshake handshake = new Handshake(TestGreeting.FORMAT, Role.CONNECTOR, greeting);
    socket.getOutputStream().write(handshake.opening().array());
    return handshake;
  }

  /** Connects and is answered; its proof is due. */
  private static Socket answered(InetSocketAddress to, int word) throws IOException {
    Socket socket = new Socket(to.getAddress(), to.getPort());
    hello(socket, TestGreeting.connector(new byte[] {1}, word));
    assertThat(socket.getInputStream().readNBytes(TestGreeting.ANSWER))
        .hasSize(TestGreeting.ANSWER);
    return socket;
  }

  /** The other one's proof is waited for, which the second half makes sure of. */
  @Test
  void theEndWaitsForNoProofOnWhichNothingDepends() throws Exception {
    Duration patient = Duration.ofHours(1);
    ControlLoop first = loop("first", 0);
    ControlListener there = listen(first, channel -> channel::accept, patient);
    first.start(defect -> {});
    try (Socket passing = answered(there.address(), TestGreeting.PASSING)) {
      first.execute(() -> first.drain(patient.toNanos()));
      assertThat(first.join(Duration.ofSeconds(240))).isTrue();
      assertThat(passing.getInputStream().read()).isEqualTo(-1);
    }
    ControlLoop second = loop("second", 0);
    ControlListener at = listen(second, channel -> channel::accept, patient);
    second.start(defect -> {});
    try (Socket _ = answered(at.address(), 1)) {
      second.execute(() -> second.drain(patient.toNanos()));
      assertThat(second.join(Duration.ofMillis(200))).isFalse();
    }
    assertThat(second.join(Duration.ofSeconds(240))).isTrue();
  }

  @Test
  void anEndOnWhichNothingDependsMayLeaveAndIsNoStranger() throws Exception {
    answered(listener.address(), TestGreeting.PASSING).close();
    Await.until("it is noted", () -> log.lines.stream().anyMatch(line -> line.contains("says 66")));
    assertThat(log.warnings).isEmpty();
    answered(listener.address(), 1).close();
    Await.until("the other", () -> log.warnings.stream().anyMatch(line -> line.contains("says 1")));
  }

  @Test
  void anEndThatDoesNotReadIsGivenUp() throws Exception {
    try (Socket deaf = new Socket()) {
      prove(deaf, listener.address());
      ControlLink link = next(accepted);
      byte[] large = new byte[TestGreeting.MOST_FRAME];
      for (int i = 0; i < 20; i++) {
        send(server, link, large);
      }
      assertThat(next(atServer.ends)).isEqualTo("it does not read what it is told");
    }
  }

  /** A crowd that connects must not keep the links, timers and tasks from their turn. */
  @Test
  void aTurnAcceptsOnlySoMany() throws Exception {
    ControlLoop loop = loop("crowded", 0);
    ControlListener at = listen(loop, channel -> channel::accept);
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < 3 * ControlListener.ACCEPTS_PER_TURN; i++) {
      crowd.add(new Socket(at.address().getAddress(), at.address().getPort()));
    }
    CompletableFuture<Integer> atFirst = new CompletableFuture<>();
    loop.execute(() -> atFirst.complete(at.strangers()));
    loop.start(defect -> {});
    assertThat(atFirst.get(240, TimeUnit.SECONDS)).isBetween(1, ControlListener.ACCEPTS_PER_TURN);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(240);
    int count = 0;
    while (count < crowd.size() && System.nanoTime() - deadline < 0) {
      CompletableFuture<Integer> now = new CompletableFuture<>();
      loop.execute(() -> now.complete(at.strangers()));
      count = now.get(240, TimeUnit.SECONDS);
    }
    assertThat(count).as("the others have their turn later").isEqualTo(crowd.size());
    for (Socket each : crowd) {
      each.close();
    }
  }

  @Test
  void anAddressThatCannotBeDialledEndsItsLinkOnly() throws Exception {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere", 4711);
    dial(unknown, TestGreeting.SECRET, Patience.BRIEF, LIMIT);
    assertThat(next(atClient.ends))
        .contains("cannot connect to such an address")
        .contains("UnresolvedAddressException");
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    client.execute(() -> alive.complete(true));
    assertThat(alive.get(240, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void nothingIsLeftOpenWhereNothingCanListen() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "skipped: this system has no /proc/self/fd");
    assertThatThrownBy(ControlLoopTest::listenNowhere)
        .hasMessageContaining("cannot listen at such an address");
    long before = descriptors();
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(ControlLoopTest::listenNowhere).isInstanceOf(IOException.class);
    }
    assertThat(descriptors() - before).as("descriptors left open").isLessThan(100);
  }

  private static void listenNowhere() throws IOException {
    ControlLoop loop = new ControlLoop("nowhere", TestGreeting.PROTOCOL, new RecordingLog());
    try {
      loop.listen(
          InetSocketAddress.createUnresolved("nowhere", 4711),
          "nowhere",
          new StrangerLimits(LIMIT, LIMIT),
          () -> TestGreeting.acceptor(TestGreeting.SECRET),
          link -> new Heard());
    } finally {
      loop.release();
    }
  }

  private static long descriptors() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        count += each.getFileName() == null ? 0 : 1;
      }
    }
    return count;
  }

  /** Whatever breaks the loop: the owner hears it first, then every link ends. */
  @Test
  void aDefectEndsAllLinks() throws Exception {
    CompletableFuture<Throwable> defect = new CompletableFuture<>();
    client = loop("broken", 0);
    client.start(defect::complete);
    connect(TestGreeting.SECRET);
    next(accepted);
    client.execute(() -> {
      throw new IllegalStateException("a defect");
    });
    assertThat(defect.get(240, TimeUnit.SECONDS)).hasMessage("a defect");
    assertThat(next(atClient.ends)).contains("broken ends: ").contains("a defect");
    assertThat(next(atServer.ends)).contains("closed the connection");
  }

  @Test
  void aDefectOfTheOwnerLeavesNoLinkOpen() throws Exception {
    client = loop("broken", 0);
    client.start(defect -> {});
    connect(TestGreeting.SECRET);
    connect(TestGreeting.SECRET);
    next(accepted);
    next(accepted);
    atClient.broken = true;
    client.execute(() -> {
      throw new IllegalStateException("a defect");
    });
    assertThat(next(atServer.ends)).contains("closed the connection");
    assertThat(next(atServer.ends)).contains("closed the connection");
  }

  /** A rank that the system lets wait between the answer and its proof is slow, and no stranger. */
  @Test
  void aProofMayTakeLongerThanAHello() throws Exception {
    ControlListener hurried =
        server.listen(
            ANY,
            "the hurried listener",
            new StrangerLimits(Duration.ofMillis(300), Duration.ofMinutes(1)),
            () -> TestGreeting.acceptor(TestGreeting.SECRET),
            link -> {
              accepted.add(link);
              return atServer;
            },
            channel -> channel::accept);
    Handshake slow =
        new Handshake(
            TestGreeting.FORMAT, Role.CONNECTOR, TestGreeting.connector(TestGreeting.SECRET));
    try (SocketChannel answered = SocketChannel.open(hurried.address());
        SocketChannel silent = SocketChannel.open(hurried.address())) {
      answered.write(slow.opening());
      ByteBuffer in = ByteBuffer.allocate(1024);
      ByteBuffer proof = null;
      while (proof == null) {
        in.clear();
        assertThat(answered.read(in)).isPositive();
        proof = slow.advance(in.flip());
      }
      assertThat(silent.read(ByteBuffer.allocate(1)))
          .as("the end of one that says nothing")
          .isEqualTo(-1);
      answered.write(proof);
      assertThat(next(accepted).isInbound()).isTrue();
    }
  }

  /** The acceptor's end may come at any time before it has confirmed: nothing has been lost. */
  @Test
  void aLinkThatIsDroppedBeforeItWasConfirmedDialsAgain() throws Exception {
    try (ProofRelay relay = relay(connection -> connection > 3)) {
      ControlLink link = dial(relay.address(), TestGreeting.SECRET, Patience.BRIEF, LIMIT);
      send(client, link, (byte) 5);
      assertThat(next(atClient.ends)).isEqualTo("the connection was closed");
      assertThat(relay.connections()).as("two tries").isEqualTo(2);
      assertThat(atClient.opened).isEmpty();

      ControlLink patient =
          dial(relay.address(), TestGreeting.SECRET, Patience.UNTIL_DEADLINE, LIMIT);
      send(client, patient, (byte) 6);
      send(client, patient, (byte) 7);
      assertThat(next(atServer.frames)).containsExactly(6);
      assertThat(next(atServer.frames)).containsExactly(7);
      assertThat(relay.connections()).isEqualTo(4);
      assertThat(atClient.opened).containsExactly(patient);
      assertThat(atClient.ends).isEmpty();
      assertThat(accepted).as("links that were confirmed").hasSize(1);
    }
  }

  /** Room is made at the cost of the oldest, which comes again where it was only slow. */
  @Test
  void aSlowProofThatACrowdPushedOutComesAgain() throws Exception {
    List<Socket> crowd = new ArrayList<>();
    try (ProofRelay relay =
        relay(connection -> {
          while (connection == 1 && crowd.size() <= TestGreeting.PROTOCOL.mostStrangers()) {
            crowd.add(answered(listener.address(), 1)); // one of its own kind, which it has to be
          }
          if (connection == 1) {
            Await.until(
                "the oldest makes room",
                () -> log.warnings.stream().anyMatch(line -> line.contains("too many")));
          }
          return true;
        })) {
      ControlLink link = dial(relay.address(), TestGreeting.SECRET, Patience.UNTIL_DEADLINE, LIMIT);
      send(client, link, (byte) 6);
      assertThat(next(atServer.frames)).containsExactly(6);
      assertThat(relay.connections()).isEqualTo(2);
      assertThat(atClient.ends).isEmpty();
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void anAcceptorThatGoesOnWithoutConfirmingIsNotTheRightOne() throws Exception {
    try (ServerSocket odd = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      InetSocketAddress at = (InetSocketAddress) odd.getLocalSocketAddress();
      dial(at, TestGreeting.SECRET, Patience.BRIEF, LIMIT);
      for (int i = 0; i < 2; i++) {
        try (Socket from = odd.accept()) {
          Handshake handshake =
              new Handshake(
                  TestGreeting.FORMAT, Role.ACCEPTOR, TestGreeting.acceptor(TestGreeting.SECRET));
          byte[] hello = from.getInputStream().readNBytes(TestGreeting.HELLO);
          from.getOutputStream().write(handshake.advance(ByteBuffer.wrap(hello)).array());
          from.getOutputStream().write(frame((byte) 1).array());
          from.getInputStream().readAllBytes();
        } catch (SocketException reset) {
          continue; // what came was not read to the end
        }
      }
      assertThat(next(atClient.ends)).contains("went on before it had confirmed");
      assertThat(atClient.opened).isEmpty();
      assertThat(atClient.frames).isEmpty();
    }
  }

  /** The dialler's limit is the only one for an acceptor that is silent. */
  @Test
  void anAcceptorThatNeverConfirmsMeetsTheDiallersLimit() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    try (ProofRelay relay =
        relay(connection -> {
          never.get(240, TimeUnit.SECONDS);
          return false;
        })) {
      dial(relay.address(), TestGreeting.SECRET, Patience.UNTIL_DEADLINE, Duration.ofMillis(300));
      assertThat(next(atClient.ends)).isEqualTo("no answer");
      never.complete(null);
    }
  }

  private ProofRelay relay(ProofRelay.Answered answered) throws IOException {
    return new ProofRelay(listener.address(), TestGreeting.HELLO, TestGreeting.ANSWER, answered);
  }
}
