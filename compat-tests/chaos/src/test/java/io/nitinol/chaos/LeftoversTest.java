// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoversTest {
  private static List<String> since(List<String> before) {
    List<String> now = new ArrayList<>(Leftovers.now());
    before.forEach(now::remove);
    return now;
  }

  @Test
  void socketsSelectorsAndThreadsAreFound() throws Exception {
    // What the JVM opens for all of them is there afterwards.
    ServerSocketChannel.open().close();
    try (Selector _ = Selector.open()) {
      List<String> before = Leftovers.now();
      try (ServerSocketChannel _ = ServerSocketChannel.open()) {
        assertThat(since(before)).containsExactly("descriptor of socket:[n]");
      }
      try (Selector _ = Selector.open()) {
        assertThat(since(before)).contains("descriptor of anon_inode:[eventpoll]");
      }
      assertThat(since(before)).isEmpty();
      Thread thread = Thread.ofPlatform().daemon().name("nitinol-9-x").start(() -> park());
      assertThat(since(before)).containsExactly("thread nitinol-9-x");
      thread.interrupt();
      thread.join();
      assertThat(Leftovers.since(before)).isEmpty();
    }
  }

  private static void park() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
