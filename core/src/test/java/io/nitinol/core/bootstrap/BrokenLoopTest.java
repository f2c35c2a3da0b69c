// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What ranks hear when a defect ends the bootstrap loop of one of them. */
class BrokenLoopTest {
  private final RecordedLog log = new RecordedLog();

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
    try (UniqueId id = UniqueId.create(BootstrapRanks.settings(20), log)) {
      ranks.addAll(
          BootstrapRanks.onEach(
              3,
              r ->
                  () ->
                      Bootstrap.connect(
                          id, r, 3, BootstrapRanks.settings(20), r == 1 ? broken : log)));
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
        heard.add(String.valueOf(news.poll(240, TimeUnit.SECONDS)));
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
    assertThat(news.poll(240, TimeUnit.SECONDS)).startsWith("late: ").contains("disk full");
    BootstrapRanks.close(ranks);
  }

  private InetSocketAddress listenerOf(int rank) {
    String start = "rank " + rank + " of 3 listens at 127.0.0.1:";
    for (String line : log.lines()) {
      int from = line.indexOf(start);
      if (from >= 0) {
        int port = Integer.parseInt(line.substring(from + start.length(), line.indexOf(',')));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      }
    }
    throw new AssertionError("rank " + rank + " has not said where it listens");
  }
}
