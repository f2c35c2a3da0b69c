// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static io.nitinol.core.RingGroup.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.adapt.NetV4ToV5;
import io.nitinol.core.plugin.adapt.NetV5ToV6;
import io.nitinol.core.progress.Channel;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings over plugins of version 4, whose accept waits for the peer. */
@Timeout(60)
class WaitingNetTest {
  private final MemoryNet memory = new MemoryNet(11);
  private final WaitingNet waiting = new WaitingNet(memory);

  private Net adapted() {
    return new NetV5ToV6(new NetV4ToV5(waiting));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void ranksThatAllWaitInAcceptConnect(int n) throws Exception {
    try (RingGroup group = new RingGroup(n)) {
      List<CompletableFuture<List<Channel>>> connecting = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        connecting.add(group.connect(r, adapted(), true, 20));
      }
      for (CompletableFuture<List<Channel>> future : connecting) {
        RingGroup.close(future.get(30, TimeUnit.SECONDS));
      }
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aFailureElsewhereIsHeardWhileAcceptWaits() throws Exception {
    waiting.hold();
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, adapted(), true, 50);
      CompletableFuture<List<Channel>> one = group.connect(1, adapted(), true, 50);
      waiting.awaitWaiters(4); // both ranks, both channels
      group.failures.get(0).notice(1, "it burns");
      group.failures.get(1).notice(1, "it burns");
      assertThat(failureOf(zero))
          .hasMessageContaining("it burns")
          .hasMessageContaining("thread nitinol-0-accept-0, nitinol-0-accept-1");
      assertThat(failureOf(one)).hasMessageContaining("nitinol-1-accept-0");
      assertThat(failureOf(zero).failedRank()).isEqualTo(1);
      expectKept(group.memories.get(0));
      expectKept(group.memories.get(1));
      waiting.release();
      waiting.awaitWaiters(0);
      awaitClosed();
    }
  }

  @Test
  void theTimeLimitHoldsWhileAcceptWaits() throws Exception {
    waiting.hold();
    try (RingGroup group = new RingGroup(2)) {
      CompletableFuture<List<Channel>> zero = group.connect(0, adapted(), true, 1);
      CompletableFuture<List<Channel>> one = group.connect(1, adapted(), true, 1);
      for (CommException failure : List.of(failureOf(zero), failureOf(one))) {
        assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
        assertThat(failure)
            .hasMessageContaining("within 1 s")
            .hasMessageContaining("NITINOL_BOOTSTRAP_TIMEOUT")
            .hasMessageContaining("-accept-1");
      }
      waiting.release();
      awaitClosed();
    }
  }

  private static void expectKept(CommMemory memory) {
    memory.free();
    assertThat(memory.arena().scope().isAlive()).isTrue();
  }

  /** The threads that were left behind close what they have, as soon as the plugin lets them. */
  private void awaitClosed() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (memory.open() > 0 && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(memory.open()).isZero();
  }
}
