// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.bootstrap.Dialling.Patience;
import io.nitinol.core.bootstrap.Dialling.Target;
import io.nitinol.core.bootstrap.Handshake.Kind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LinkLoopTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final Ranks.Lines log = new Ranks.Lines();

  /** Keeps why links closed. */
  private static final class Handler implements LinkLoop.Handler {
    final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    @Override
    public void opened(Link link) {}

    @Override
    public void received(Link link, Frame frame) {}

    @Override
    public void written(Link link, int bytes) {}

    @Override
    public void closed(Link link, boolean proved, String reason) {
      closed.add(reason);
    }

    @Override
    public void crashed(Throwable defect) {
      closed.add("crashed: " + defect);
    }
  }

  private LinkLoop loop(InetSocketAddress at) throws IOException {
    return new LinkLoop("nitinol-test", at, new byte[16], 0, Duration.ofSeconds(20), log);
  }

  private static void end(LinkLoop loop) throws InterruptedException {
    loop.execute(() -> loop.drain(TimeUnit.SECONDS.toNanos(2)));
    assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
  }

  /** A crowd that connects must not keep the links, timers and tasks from their turn. */
  @Test
  void aTurnAcceptsOnlySoMany() throws Exception {
    LinkLoop loop = loop(ANY);
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < 3 * LinkLoop.ACCEPTS_PER_TURN; i++) {
      crowd.add(new Socket(loop.address().getAddress(), loop.address().getPort()));
    }
    CompletableFuture<Integer> atFirst = new CompletableFuture<>();
    loop.execute(() -> atFirst.complete(loop.strangers()));
    loop.start(new Handler());
    assertThat(atFirst.get(10, TimeUnit.SECONDS)).isBetween(1, LinkLoop.ACCEPTS_PER_TURN);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    int accepted = 0;
    while (accepted < crowd.size() && System.nanoTime() - deadline < 0) {
      CompletableFuture<Integer> now = new CompletableFuture<>();
      loop.execute(() -> now.complete(loop.strangers()));
      accepted = now.get(10, TimeUnit.SECONDS);
    }
    assertThat(accepted).as("the others have their turn later").isEqualTo(crowd.size());
    for (Socket each : crowd) {
      each.close();
    }
    end(loop);
  }

  @Test
  void anAddressThatCannotBeDialledEndsItsLinkOnly() throws Exception {
    LinkLoop loop = loop(ANY);
    Handler handler = new Handler();
    loop.start(handler);
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere", 4711);
    Target target = new Target(List.of(unknown), Kind.PEER, 0, 2, 1, Patience.BRIEF);
    loop.execute(() -> loop.dial(target, TimeUnit.SECONDS.toNanos(20)));
    assertThat(handler.closed.poll(10, TimeUnit.SECONDS))
        .contains("cannot connect to such an address")
        .contains("UnresolvedAddressException");
    CompletableFuture<Boolean> alive = new CompletableFuture<>();
    loop.execute(() -> alive.complete(true));
    assertThat(alive.get(10, TimeUnit.SECONDS)).isTrue();
    end(loop);
  }

  @Test
  void nothingIsLeftOpenWhereNothingCanListen() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "skipped: this system has no /proc/self/fd");
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("nowhere", 4711);
    assertThatThrownBy(() -> loop(unknown))
        .hasMessageContaining("cannot listen at such an address");
    long before = descriptors();
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> loop(unknown)).isInstanceOf(IOException.class);
    }
    assertThat(descriptors() - before).as("descriptors left open").isLessThan(100);
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

  /** Whatever breaks the loop, here a log that throws: nobody waits in vain afterwards. */
  @Test
  void listenersHearThatTheLoopBroke() throws Exception {
    DebugLogger broken =
        new DebugLogger() {
          @Override
          public boolean isEnabled(LogLevel level, long subsystems) {
            return true;
          }

          @Override
          public void log(
              LogLevel level, long subsystems, String location, int line, String message) {
            log.log(level, subsystems, location, line, message);
            if (message.contains("dropped a connection")) {
              throw new IllegalStateException("disk full");
            }
          }
        };
    List<Bootstrap> ranks = new ArrayList<>();
    try (UniqueId id = UniqueId.create(Ranks.settings(20), log)) {
      ranks.addAll(
          Ranks.onEach(
              3,
              r -> () -> Bootstrap.connect(id, r, 3, Ranks.settings(20), r == 1 ? broken : log)));
    }
    BlockingQueue<String> news = new LinkedBlockingQueue<>();
    for (Bootstrap each : ranks) {
      each.onFailure((rank, reason) -> news.add(each.rank() + " hears of " + rank + ": " + reason));
    }
    InetSocketAddress at = listenerOf(1);
    try (Socket stranger = new Socket(at.getAddress(), at.getPort())) {
      stranger.getOutputStream().write('x');
      List<String> heard = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        heard.add(String.valueOf(news.poll(10, TimeUnit.SECONDS)));
      }
      assertThat(heard)
          .anySatisfy(h ->
              assertThat(h)
                  .startsWith("1 hears of 1: the bootstrap of rank 1 broke: ")
                  .contains("disk full"))
          .anySatisfy(h -> assertThat(h).startsWith("0 hears of 1: "))
          .anySatisfy(h -> assertThat(h).startsWith("2 hears of 1: "));
    }
    assertThatThrownBy(() -> ranks.get(1).recv(0, 0)).hasMessageContaining("disk full");
    ranks.get(1).onFailure((rank, reason) -> news.add("late: " + reason));
    assertThat(news.poll(10, TimeUnit.SECONDS)).startsWith("late: ").contains("disk full");
    Ranks.close(ranks);
  }

  private InetSocketAddress listenerOf(int rank) {
    String start = "rank " + rank + " of 3 listens at 127.0.0.1:";
    for (String line : log.lines) {
      int from = line.indexOf(start);
      if (from >= 0) {
        int port = Integer.parseInt(line.substring(from + start.length(), line.indexOf(',')));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      }
    }
    throw new AssertionError("rank " + rank + " has not said where it listens");
  }
}
