// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whatever way a bootstrap ends, no thread and no descriptor of it remains. */
class LeakTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private final RecordedLog log = new RecordedLog();

  // Other tests of this JVM may have left roots that live until their time is over: only what was
  // not there at the start counts.
  private final Set<Thread> oldThreads = Thread.getAllStackTraces().keySet();
  private Set<String> oldSockets = Set.of();
  private long oldSelectors;

  private static List<String> descriptors() throws IOException {
    List<String> open = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        try {
          open.add(Files.readSymbolicLink(each).toString());
        } catch (IOException closedMeanwhile) {
          assertThat(Files.exists(each)).isFalse();
        }
      }
    }
    return open;
  }

  private static Set<String> sockets() throws IOException {
    return descriptors().stream().filter(d -> d.startsWith("socket:")).collect(toSet());
  }

  /** Counts epoll instances and the like, which have no name of their own. */
  private static long selectors() throws IOException {
    return descriptors().stream().filter(d -> d.startsWith("anon_inode:")).count();
  }

  private void remember() throws IOException {
    oldSockets = sockets();
    oldSelectors = selectors();
  }

  private List<String> left() throws IOException {
    List<String> left = new ArrayList<>();
    Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("nitinol-") && !oldThreads.contains(t))
        .forEach(t -> left.add("thread " + t.getName()));
    sockets().stream().filter(d -> !oldSockets.contains(d)).forEach(left::add);
    long selectors = selectors();
    if (selectors > oldSelectors) {
      left.add((selectors - oldSelectors) + " selectors");
    }
    return left;
  }

  /** Waits for what ends by itself a moment later, such as the root. */
  private void awaitNothingLeft(String after) throws IOException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (!left().isEmpty() && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(left()).as("left after %s", after).isEmpty();
  }

  @Test
  void nothingRemains() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "skipped: this system has no /proc/self/fd");
    BootstrapRanks.close(
        BootstrapRanks.connect(
            2, BootstrapRanks.settings(5), log)); // what the JVM opens once and keeps
    remember();

    ranksThatClose();
    awaitNothingLeft("close");
    ranksThatAbort();
    awaitNothingLeft("abort");
    ranksThatDoNotMeet();
    awaitNothingLeft("a missing rank");
    ranksWithIdleStrangers();
    awaitNothingLeft("strangers");
  }

  private void ranksThatClose() {
    int n = 16;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(20), log);
    BootstrapRanks.onEach(
        n,
        r ->
            () -> {
              for (int peer = 0; peer < n; peer++) {
                ranks.get(r).send(peer, 0, new byte[100]);
              }
              for (int peer = 0; peer < n; peer++) {
                ranks.get(r).recv(peer, 0);
              }
              return true;
            });
    BootstrapRanks.close(ranks);
  }

  private void ranksThatAbort() {
    List<Bootstrap> ranks = BootstrapRanks.connect(4, BootstrapRanks.settings(20), log);
    BootstrapRanks.onEach(
        4,
        r ->
            () -> {
              ranks.get(r).abort();
              return true;
            });
  }

  private void ranksThatDoNotMeet() {
    Settings settings = BootstrapRanks.settings(1);
    UniqueId id = UniqueId.create(settings, log);
    assertThat(BootstrapRanks.outcomes(2, r -> () -> Bootstrap.connect(id, r, 3, settings, log)))
        .allSatisfy(each -> assertThat(each.failure()).isInstanceOf(BootstrapException.class));
  }

  private void ranksWithIdleStrangers() throws IOException {
    Settings settings = BootstrapRanks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    InetSocketAddress root = id.roots().getFirst();
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      strangers.add(new Socket(root.getAddress(), root.getPort()));
    }
    BootstrapRanks.close(
        BootstrapRanks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log)));
    for (Socket each : strangers) {
      each.close();
    }
  }
}
