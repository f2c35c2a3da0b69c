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
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.control.ControlListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SwitchLoopTest {
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
  private final SwitchLoop switches = SwitchLoop.open("switch", logger);
  private final SwitchLoop members = SwitchLoop.open("members", logger);
  private final BlockingQueue<SwitchLink> accepted = new LinkedBlockingQueue<>();
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
  private static final class Heard implements SwitchLink.Events {
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
    T next = queue.poll(240, TimeUnit.SECONDS);
    assertThat(next).as("something within 240 s").isNotNull();
    return next;
  }

  private SwitchLink connect(SwitchKey with) {
    return members.connect(listener.address(), with, atMember, LIMIT);
  }

  @Test
  void framesOfAnySizeGoBothWaysInOrder() throws InterruptedException {
    SwitchLink member = connect(key);
    ControlFrame large = new More(IntStream.range(0, ControlFrame.MAX_RANKS).boxed().toList());
    member.send(large);
    for (int i = 0; i < 300; i++) {
      member.send(new Fail(ResultCode.TIMEOUT, i, i, "text " + i));
    }
    assertThat(next(atSwitch.frames)).isEqualTo(large);
    for (int i = 0; i < 300; i++) {
      assertThat(next(atSwitch.frames)).isEqualTo(new Fail(ResultCode.TIMEOUT, i, i, "text " + i));
    }
    SwitchLink other = next(accepted);
    assertThat(other.local()).isEqualTo(InetAddress.getLoopbackAddress());
    other.send(new ControlFrame.Ready());
    other.send(large);
    assertThat(next(atMember.frames)).isEqualTo(new ControlFrame.Ready());
    assertThat(next(atMember.frames)).isEqualTo(large);
  }

  @Test
  void whatWasSentBeforeACloseArrivesAndThenTheEnd() throws InterruptedException {
    SwitchLink member = connect(key);
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
  void aStrangerIsReportedWithTheSwitch() throws IOException, InterruptedException {
    try (Socket stranger = new Socket()) {
      stranger.connect(listener.address(), 10_000);
      stranger.setSoTimeout(20_000);
      stranger.getOutputStream().write('G');
      assertThat(isEnded(stranger.getInputStream())).isTrue();
    }
    String line = "the switch on " + Addresses.text(listener.address()) + " dropped a connection";
    Await.until(
        "a line in the log",
        () -> {
          synchronized (log) {
            return log.stream().anyMatch(each -> each.startsWith(line));
          }
        });
  }

  private static boolean isEnded(InputStream in) throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true; // a reset
    }
  }

  /** A member's defect costs its own link. */
  @Test
  void aListenerThatThrowsEndsItsOwnLinkOnly() throws InterruptedException {
    SwitchLink member = connect(key);
    next(accepted)
        .setEvents(
            new SwitchLink.Events() {
              @Override
              public void frame(ControlFrame frame) {
                throw new IllegalStateException("a defect");
              }

              @Override
              public void closed(String why) {
                atSwitch.closed(why);
              }
            });
    member.send(new ControlFrame.Ready());
    assertThat(next(atSwitch.ends)).contains("a defect");
    assertThat(next(atMember.ends)).contains("closed the connection");
    connect(key).send(new ControlFrame.Leave());
    assertThat(next(atSwitch.frames)).isEqualTo(new ControlFrame.Leave());
  }
}
