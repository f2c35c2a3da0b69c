// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PluginWatchTest {
  private final List<String> told = new CopyOnWriteArrayList<>();

  @BeforeEach
  void listen() {
    PluginWatch.listen(told::add);
  }

  @AfterEach
  void listenNoMore() {
    PluginWatch.listen(which -> {});
  }

  private static void call(String which, Runnable body) {
    PluginWatch.during(
        () -> which,
        () -> {
          body.run();
          return null;
        });
  }

  @Test
  void theInnermostCallIsTold() {
    call("outer", () -> call("inner", () -> {}));
    assertThat(told).containsExactly("outer", "inner", "outer", "");
  }

  /** Two communicators that start at once: the first call ends in the middle of the second. */
  @Test
  void callsOfSeveralThreadsAreToldUntilEachIsOver() throws Exception {
    CountDownLatch firstIsIn = new CountDownLatch(1);
    CountDownLatch firstMayEnd = new CountDownLatch(1);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() ->
            call(
                "init of A",
                () -> {
                  firstIsIn.countDown();
                  await(firstMayEnd);
                }));
    await(firstIsIn);
    call(
        "init of B",
        () -> {
          firstMayEnd.countDown();
          first.join();
          assertThat(told.getLast()).isEqualTo("init of B");
        });
    assertThat(told).containsExactly("init of A", "init of A, init of B", "init of B", "");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(240, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
