// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever way a bootstrap ends, no thread and no descriptor of it remains. */
class LeakTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private final Ranks.Lines log = new Ranks.Lines();

  private static List<String> sockets() throws IOException {
    List<String> open = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        try {
          String target = Files.readSymbolicLink(each).toString();
          if (target.startsWith("socket:") || target.startsWith("anon_inode:")) {
            open.add(target);
          }
        } catch (IOException closedMeanwhile) {
          assertThat(Files.exists(each)).isFalse();
        }
      }
    }
    return open;
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("nitinol-"))
        .toList();
  }

  /** Waits for what ends by itself a moment later, such as the root. */
  private static void awaitNothingLeft(int before) throws IOException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while ((!threads().isEmpty() || sockets().size() > before)
        && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(threads()).isEmpty();
    assertThat(sockets()).hasSizeLessThanOrEqualTo(before);
  }

  @Test
  void nothingRemains() throws Exception {
    assumeTrue(Files.isDirectory(DESCRIPTORS), "skipped: this system has no /proc/self/fd");
    Ranks.close(Ranks.connect(2, Ranks.settings(5), log)); // what the JVM opens once and keeps
    awaitNothingLeft(Integer.MAX_VALUE);
    int before = sockets().size();

    TreeMap<String, Integer> after = new TreeMap<>();
    ranksThatClose();
    awaitNothingLeft(before);
    after.put("close", sockets().size());
    ranksThatAbort();
    awaitNothingLeft(before);
    after.put("abort", sockets().size());
    ranksThatDoNotMeet();
    awaitNothingLeft(before);
    after.put("missing rank", sockets().size());
    ranksWithIdleStrangers();
    awaitNothingLeft(before);
    after.put("strangers", sockets().size());
    assertThat(after.values()).as("before %d, after %s", before, after).containsOnly(before);
  }

  private void ranksThatClose() {
    int n = 16;
    List<Bootstrap> ranks = Ranks.connect(n, Ranks.settings(20), log);
    Ranks.onEach(
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
    Ranks.close(ranks);
  }

  private void ranksThatAbort() {
    List<Bootstrap> ranks = Ranks.connect(4, Ranks.settings(20), log);
    Ranks.onEach(
        4,
        r ->
            () -> {
              ranks.get(r).abort();
              return true;
            });
  }

  private void ranksThatDoNotMeet() {
    Settings settings = Ranks.settings(1);
    UniqueId id = UniqueId.create(settings, log);
    assertThat(Ranks.outcomes(2, r -> () -> Bootstrap.connect(id, r, 3, settings, log)))
        .allSatisfy(each -> assertThat(each.failure()).isInstanceOf(BootstrapException.class));
  }

  private void ranksWithIdleStrangers() throws IOException {
    Settings settings = Ranks.settings(20);
    UniqueId id = UniqueId.create(settings, log);
    List<Socket> strangers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      strangers.add(new Socket(id.root().getAddress(), id.root().getPort()));
    }
    Ranks.close(Ranks.onEach(2, r -> () -> Bootstrap.connect(id, r, 2, settings, log)));
    for (Socket each : strangers) {
      each.close();
    }
  }
}
