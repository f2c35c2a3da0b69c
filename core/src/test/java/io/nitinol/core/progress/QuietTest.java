// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.ChannelShare;
import io.nitinol.core.progress.task.Fold;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When nothing counts as moving, by a clock of the test's own: rank 0 has a message for rank 1, and
 * the connection is not there.
 */
class QuietTest {
  private static final long LIMIT_SECONDS = 30;

  /** Connections that are never there, and come forward when the test has it so. */
  private static final class Unmade implements Connectors {
    private long moves;

    @Override
    public @Nullable SendConnector sender(int peer, int channel, Use use) {
      return null;
    }

    @Override
    public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
      return null;
    }

    @Override
    public @Nullable TeamArea team(int channel, Protocol protocol) {
      return null;
    }

    @Override
    public int missingMember(int channel, Protocol protocol) {
      return -1;
    }

    @Override
    public long moves() {
      return moves;
    }

    @Override
    public void close(List<Throwable> errors) {
      // there is nothing
    }
  }

  private final Arena arena = Arena.ofShared();
  private final Unmade connections = new Unmade();
  private final CommFailures failures = new CommFailures(0, (rank, reason) -> {});
  private final ProgressAgent agent = agent();
  private long seconds;

  private ProgressAgent agent() {
    OperationRing ring = new OperationRing();
    ActiveConnectors links = new ActiveConnectors(connections);
    Executor executor =
        new Executor(
            new ChannelShare(0, 2, 1, 0, 1),
            ring,
            links,
            (collective, choice, channel) -> new Schedule[0],
            arena.allocate(Fold.BLOCK_BYTES, 64));
    PairTransfers message = new PairTransfers(2);
    message.send(1, arena.allocate(8), 8);
    assertThat(ring.claim(0)).isTrue();
    Operation slot = ring.slot(1);
    slot.batch(message);
    slot.publish(1, null, 1, 2);
    return new ProgressAgent(
        links,
        new Executor[] {executor},
        true,
        failures,
        new CallCheck(0, 2, executor, failures),
        new LeaverCheck(0, executor));
  }

  @BeforeEach
  void begin() {
    assertThat(agent.tryTake()).isTrue();
    assertThat(agent.doWork()).as("the operation has begun").isPositive();
    look(1);
  }

  @AfterEach
  void close() {
    agent.release();
    arena.close();
  }

  /** Looks in vain after so many seconds. */
  private void look(long after) {
    assertThat(agent.doWork()).isZero();
    seconds += after;
    agent.quiet(TimeUnit.SECONDS.toNanos(seconds), TimeUnit.SECONDS.toNanos(LIMIT_SECONDS));
  }

  private void lookEachSecond(long times) {
    for (long i = 0; i < times; i++) {
      look(1);
    }
  }

  @Test
  void silenceIsAFailureOnceItsTimeIsOver() {
    lookEachSecond(LIMIT_SECONDS);
    assertThat(failures.isStopped()).isFalse();
    look(1);
    assertThat(failures.isStopped()).isTrue();
  }

  /** On a slow machine many ranks may dial each other for longer than an operation may wait. */
  @Test
  void aConnectionThatComesForwardIsNoSilence() {
    for (int i = 0; i < 10; i++) {
      lookEachSecond(LIMIT_SECONDS - 1);
      connections.moves++;
      look(1);
      assertThat(failures.isStopped()).as("after %d s", seconds).isFalse();
    }
    lookEachSecond(LIMIT_SECONDS + 1);
    assertThat(failures.isStopped()).isTrue();
  }

  /** What it waits for may have come while it did not run; it has not looked. */
  @Test
  void aThreadThatHasNotRunHasNotWaited() {
    look(10 * LIMIT_SECONDS);
    assertThat(failures.isStopped()).isFalse();
    lookEachSecond(LIMIT_SECONDS);
    assertThat(failures.isStopped()).isTrue();
  }
}
