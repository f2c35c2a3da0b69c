// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.ControlFrame.Fail;
import io.nitinol.net.collnet.wire.ControlFrame.More;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final List<String> log = new ArrayList<>(); // guarded by itself
  private final DebugLogger logger =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return true;
        }

        @Override
        public void log(LogLevel level, long subsystems, String at, int line, String message) {
          synchronized (log) {
            log.add(message);
          }
        }
      };
  private final SwitchKey key = SwitchKey.random();
  private final ControlLoop switches = ControlLoop.open("switch", logger);
  private final ControlLoop members = ControlLoop.open("members", logger);
  private final BlockingQueue<ControlLink> accepted = new LinkedBlockingQueue<>();
  private final Heard atSwitch = new Heard();
  private final Heard atMember = new Heard();
  private final ControlListener listener =
      switches.listen(
          ANY,
          key,
          link -> {
            link.setEvents(atSwitch);
            accepted.add(link);
          });

  /** What one side was told. */
  private static final class Heard implements ControlLink.Events {
    private final BlockingQueue<ControlFrame> frames = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    @Override
    public void frame(ControlFrame frame) {
      frames.add(frame);
    }

    @Override
    public void closed(String why) {
      ends.add(why);
    }
  }

  @AfterEach
  void close() {
    members.close();
    switches.close();
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(20, TimeUnit.SECONDS);
    assertThat(next).as("something within 20 s").isNotNull();
    return next;
  }

  private ControlLink connect(SwitchKey with) {
    return members.connect(listener.address(), with, atMember, LIMIT);
  }

  @Test
  void framesOfAnySizeGoBothWaysInOrder() throws InterruptedException {
    ControlLink member = connect(key);
    ControlFrame large = new More(IntStream.range(0, ControlFrame.MAX_RANKS).boxed().toList());
    member.send(large);
    for (int i = 0; i < 300; i++) {
      member.send(new Fail(ResultCode.TIMEOUT, i, i, "text " + i));
    }
    assertThat(next(atSwitch.frames)).isEqualTo(large);
    for (int i = 0; i < 300; i++) {
      assertThat(next(atSwitch.frames)).isEqualTo(new Fail(ResultCode.TIMEOUT, i, i, "text " + i));
    }
    ControlLink other = next(accepted);
    assertThat(other.local()).isEqualTo(InetAddress.getLoopbackAddress());
    other.send(new ControlFrame.Ready());
    other.send(large);
    assertThat(next(atMember.frames)).isEqualTo(new ControlFrame.Ready());
    assertThat(next(atMember.frames)).isEqualTo(large);
  }

  @Test
  void whatWasSentBeforeACloseArrivesAndThenTheEnd() throws InterruptedException {
    ControlLink member = connect(key);
    next(accepted);
    member.send(new ControlFrame.Leave());
    member.close();
    assertThat(next(atSwitch.frames)).isEqualTo(new ControlFrame.Leave());
    assertThat(next(atSwitch.ends)).contains("closed the connection");
    assertThat(atMember.ends).as("told to who closed").isEmpty();
  }

  @Test
  void anotherSecretIsToldAsSuch() throws InterruptedException {
    connect(SwitchKey.random());
    assertThat(next(atMember.ends))
        .contains("another secret", "NITINOL_COLLNET_SECRET", "127.0.0.1:");
    assertThat(accepted).isEmpty();
  }

  @Test
  void aSwitchThatIsNotThereIsTriedForAWhile() throws InterruptedException {
    listener.close();
    long start = System.nanoTime();
    members.connect(listener.address(), key, atMember, Duration.ofMillis(700));
    assertThat(next(atMember.ends)).contains("cannot connect to 127.0.0.1:");
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(600));
  }

  @Test
  void strangersAreDroppedAndHarmNobody() throws IOException, InterruptedException {
    ControlLink member = connect(key);
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
    member.send(new ControlFrame.Ready());
    assertThat(next(atSwitch.frames)).isEqualTo(new ControlFrame.Ready());
    synchronized (log) {
      assertThat(log).anyMatch(line -> line.contains("dropped a connection"));
      assertThat(log).hasSizeLessThan(40);
    }
  }

  private static boolean isEnded(InputStream in) throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true; // a reset
    }
  }

  @Test
  void aCrowdThatSaysNothingLeavesRoomForMembers() throws IOException, InterruptedException {
    List<Socket> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket silent = new Socket();
        crowd.add(silent);
        silent.connect(listener.address(), 10_000);
      }
      connect(key).send(new ControlFrame.Ready());
      assertThat(next(atSwitch.frames)).isEqualTo(new ControlFrame.Ready());
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void withoutDescriptorsItTriesAgainNowAndThen() throws InterruptedException {
    AtomicInteger attempts = new AtomicInteger();
    AtomicBoolean full = new AtomicBoolean(true);
    ControlListener at =
        switches.listen(
            ANY,
            key,
            link -> link.setEvents(atSwitch),
            channel ->
                () -> {
                  attempts.incrementAndGet();
                  if (full.get()) {
                    throw new IOException("Too many open files");
                  }
                  return channel.accept();
                });
    members.connect(at.address(), key, atMember, LIMIT).send(new ControlFrame.Ready());
    Await.until("the first attempts", () -> attempts.get() >= 3);
    long start = System.nanoTime();
    int before = attempts.get();
    Await.until("further ones", () -> attempts.get() >= before + 5);
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(400));
    full.set(false);
    assertThat(next(atSwitch.frames)).isEqualTo(new ControlFrame.Ready());
    synchronized (log) {
      assertThat(log).anyMatch(line -> line.contains("cannot accept a connection: Too many open"));
    }
  }

  @Test
  void aMemberThatIsStalledIsGivenUpAndOneThatIsIdleIsNot() throws Exception {
    long silence = TimeUnit.SECONDS.toNanos(4); // the idle one speaks every second
    ControlLoop strict = ControlLoop.open("strict", logger, silence);
    ControlLoop lively = ControlLoop.open("lively", logger, silence);
    try (strict;
        lively;
        Socket stalled = new Socket()) {
      BlockingQueue<ControlLink> idle = new LinkedBlockingQueue<>();
      AtomicBoolean second = new AtomicBoolean();
      ControlListener at =
          strict.listen(
              ANY,
              key,
              link -> {
                link.setEvents(second.getAndSet(true) ? atSwitch : atMember);
                idle.add(link);
              });
      lively.connect(at.address(), key, atMember, LIMIT);
      next(idle);
      prove(stalled, at.address());
      assertThat(next(atSwitch.ends)).contains("it was silent for 4000 ms").contains("127.0.0.1:");
      assertThat(atMember.ends).as("ends of the idle one, on either side").isEmpty();
    }
  }

  /** Says what a member says until it is proven, and nothing more. */
  private void prove(Socket socket, InetSocketAddress to) throws Exception {
    socket.connect(to, 10_000);
    Handshake handshake = new Handshake(Role.CONNECTOR, key.bytes());
    socket.getOutputStream().write(handshake.opening().array());
    while (!handshake.isProven()) {
      ByteBuffer room = handshake.expected();
      byte[] read = socket.getInputStream().readNBytes(room.remaining());
      room.put(read);
      ByteBuffer say = handshake.advance();
      if (say != null) {
        socket.getOutputStream().write(say.array());
      }
    }
  }
}
