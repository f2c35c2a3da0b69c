// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.WaitingNet;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections over plugins of version 4, whose accept waits for the peer. */
class WaitingConnectTest {
  private final MemoryNet memory = new MemoryNet(11);
  private final WaitingNet waiting = new WaitingNet(memory);

  private Net adapted() {
    return (Net) AdapterChain.from(PluginKind.NET, 4).getLast().lift(waiting);
  }

  /** Asks both ranks for both directions between them. */
  private void askBoth(ConnectorGroup group, int seconds) {
    for (int r = 0; r < 2; r++) {
      LazyConnectors links = group.open(r, adapted(), true, seconds);
      links.receiver(1 - r, 0, Use.COLLECTIVE);
      links.sender(1 - r, 0, Use.COLLECTIVE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void ranksThatAllWaitInAcceptConnect(int n) throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(n)) {
      for (int r = 0; r < n; r++) {
        group.open(r, adapted(), true, 20).receiver((r + n - 1) % n, 0, Use.COLLECTIVE);
      }
      for (int r = 0; r < n; r++) {
        group.sender(r, (r + 1) % n);
      }
      for (int r = 0; r < n; r++) {
        group.receiver(r, (r + n - 1) % n);
      }
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aFailureElsewhereIsHeardWhileAcceptWaits() throws Exception {
    waiting.hold();
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      askBoth(group, 50);
      awaitAccepts(group);
      group.failures.get(0).notice(1, "it burns");
      group.failures.get(1).notice(1, "it burns");
      assertThat(group.failure(0).failedRank()).isEqualTo(1);
      expectStuck(group, 0);
      expectStuck(group, 1);
      waiting.release();
    }
    awaitClosed();
  }

  @Test
  void closingWhileAcceptWaitsKeepsTheMemory() throws Exception {
    waiting.hold();
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      askBoth(group, 50);
      awaitAccepts(group);
      expectStuck(group, 0);
      expectStuck(group, 1);
      waiting.release();
      waiting.awaitWaiters(0);
    }
    awaitClosed();
  }

  @Test
  void theTimeLimitHoldsWhileAcceptWaits() throws Exception {
    waiting.hold();
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      askBoth(group, 1);
      awaitAccepts(group);
      List<CommException> failures = List.of(group.failure(0), group.failure(1));
      // One of the two was faster, and the other has heard of it.
      assertThat(failures).extracting(CommException::result).contains(ResultCode.TIMEOUT);
      assertThat(failures)
          .allSatisfy(failure ->
              assertThat(failure)
                  .hasMessageContaining("within 1 s")
                  .hasMessageContaining("NITINOL_BOOTSTRAP_TIMEOUT"));
      waiting.release();
      waiting.awaitWaiters(0);
    }
    awaitClosed();
  }

  /** Waits until both ranks have connected and are held in accept, which will succeed. */
  private void awaitAccepts(ConnectorGroup group) throws InterruptedException {
    group.sender(0, 1);
    group.sender(1, 0);
    waiting.awaitWaiters(2);
  }

  private static void expectStuck(ConnectorGroup group, int rank) {
    List<Throwable> errors = group.closeLinks(rank);
    assertThat(errors).hasSize(1);
    assertThat(errors.getFirst())
        .hasMessageContaining("nitinol-" + rank + "-accept-" + (1 - rank) + "-0");
    CommMemory kept = group.memories.get(rank);
    kept.free();
    assertThat(kept.arena().scope().isAlive()).isTrue();
  }

  /** The threads that were left behind close what they have, as soon as the plugin lets them. */
  private void awaitClosed() {
    Await.until("the end of all memory", () -> memory.open() == 0);
  }
}
