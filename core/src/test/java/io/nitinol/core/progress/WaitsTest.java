// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every kind of wait tells: in a dump, when it takes too long, and when it is ended. */
class WaitsTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);
  private static final Choice CHOICE = new Choice(Algorithm.DIRECT, Protocol.LL, 1);

  private enum Wait {
    MESSAGE("a message from rank 1"),
    TEAM("rank 1 to say POSTED"),
    TEAM_MEMORY("the memory that it shares with the other ranks of its host, which rank 1"),
    CONNECTION("its connection with rank 1"),
    PAIR("a message from rank 1, of transfer 1"),
    PAIR_CONNECTION("its connection with rank 1");

    final String text;

    Wait(String text) {
      this.text = text;
    }
  }

  private final Arena arena = Arena.ofShared();
  private EngineGroup group = group(0);

  private static EngineGroup group(long stallNanos) {
    return new EngineGroup(2, 1, SHAPE, 0, "park", 5, stallNanos, WaitsTest::schedules);
  }

  private static Schedule[] schedules(int rank, Collective collective, Choice choice, int channel) {
    int peer = 1 - rank;
    Script exchange =
        collective == Collective.ALL_REDUCE
            ? new Script(
                (s, n) -> s.begin(StepKind.PUT, n).signals(Signal.POSTED),
                (s, n) ->
                    s.begin(StepKind.FOLD, n)
                        .awaits(Signal.POSTED, Step.ALL)
                        .signals(Signal.FREED)
                        .last(true))
            : new Script(
                (s, n) -> s.begin(StepKind.SEND, n).to(peer),
                (s, n) -> s.begin(StepKind.RECV, n).from(peer));
    return new Schedule[] {exchange};
  }

  @AfterEach
  void close() {
    group.close();
    arena.close();
  }

  private long submit(int rank, Wait wait) {
    Engine engine = group.engines.get(rank);
    MemorySegment buffer = arena.allocate(64, 64);
    if (wait == Wait.PAIR || wait == Wait.PAIR_CONNECTION) {
      PairTransfers batch = new PairTransfers(2);
      batch.send(1 - rank, buffer, 8);
      batch.receive(1 - rank, arena.allocate(64), 8);
      return engine.submit(batch);
    }
    CollectiveCall call =
        new CollectiveCall(
            wait == Wait.TEAM || wait == Wait.TEAM_MEMORY
                ? Collective.ALL_REDUCE
                : Collective.ALL_GATHER,
            buffer,
            arena.allocate(64, 64),
            8,
            DataType.INT8,
            ReductionOp.SUM.code(),
            ScalarKernels.instance().function(DataType.INT8, ReductionOp.SUM, 2),
            0);
    return engine.submit(call, CHOICE, null);
  }

  /** Lets rank 0 alone wait, connected before or not. */
  private long wait(Wait wait, long stallNanos) {
    if (stallNanos > 0) {
      group.close();
      group = group(stallNanos);
    }
    if (wait != Wait.CONNECTION && wait != Wait.TEAM_MEMORY && wait != Wait.PAIR_CONNECTION) {
      submit(1, wait);
      assertThat(group.engines.getFirst().await(submit(0, wait), 0)).isTrue();
      assertThat(group.engines.get(1).await(1, 0)).isTrue();
    }
    long work = submit(0, wait);
    Engine waiting = group.engines.getFirst();
    do { // another thread may have the right to look, and not run
      assertThat(waiting.await(work, 20_000_000)).isFalse();
    } while (!waiting.view().dump().contains("waits for"));
    return work;
  }

  @ParameterizedTest
  @EnumSource
  void aDumpTellsWhatIsWaitedFor(Wait wait) {
    long work = wait(wait, 0);
    String dump = group.engines.getFirst().view().dump();
    String text = wait == Wait.PAIR ? "a message from rank 1, of transfer 2" : wait.text;
    assertThat(dump).contains("waits for " + text).contains("rank 0 of 2");
    assertThat(dump).contains(wait.name().startsWith("PAIR") ? "1 sends" : "of 8 int8 sum");
    submit(1, wait);
    assertThat(group.engines.getFirst().await(work, 0)).isTrue();
    assertThat(group.engines.getFirst().view().dump()).doesNotContain("waits for");
  }

  @ParameterizedTest
  @EnumSource
  void aStallNamesTheRank(Wait wait) {
    long work = wait(wait, TimeUnit.MILLISECONDS.toNanos(300));
    assertThatThrownBy(() -> group.engines.getFirst().await(work, 0))
        .isInstanceOfSatisfying(
            CommException.class,
            e -> {
              assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT);
              assertThat(e.failedRank()).isEqualTo(1);
            })
        .hasMessageContaining("waits for");
  }

  /**
   * Only what memory alone could bring is given up as soon as the rank has left: a message of a
   * network may be on its way still, and a connection that is missing is not this check's business.
   */
  @ParameterizedTest
  @EnumSource
  void aWaitInMemoryEndsWhenTheRankHasLeft(Wait wait) {
    boolean memory = wait == Wait.TEAM;
    long work = wait(wait, memory ? 0 : TimeUnit.MILLISECONDS.toNanos(500));
    group.engines.getFirst().noticeLeavers(rank -> rank == 1);
    assertThatThrownBy(() -> group.engines.getFirst().await(work, 0))
        .isInstanceOfSatisfying(
            CommException.class,
            e -> {
              assertThat(e.result())
                  .isEqualTo(memory ? ResultCode.REMOTE_ERROR : ResultCode.TIMEOUT);
              assertThat(e.failedRank()).isEqualTo(1);
            })
        .hasMessageContaining(
            memory ? "rank 1 has closed its communicator, and rank 0 waits for " : "waits for");
  }

  @Test
  void aRankThatHasLeftIsNoFailureWhereItIsNotWaitedFor() {
    long work = wait(Wait.TEAM, 0);
    Engine waiting = group.engines.getFirst();
    AtomicInteger asked = new AtomicInteger();
    waiting.noticeLeavers(rank -> asked.incrementAndGet() > 0 && rank != 1);
    while (asked.get() < 4) { // twice as often as it takes to give up a rank that has left
      assertThat(waiting.await(work, 1_000_000)).isFalse();
    }
    submit(1, Wait.TEAM);
    assertThat(waiting.await(work, 0)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aFailureEndsIt(Wait wait) {
    long work = wait(wait, 0);
    group.failures.getFirst().fail(new CommException(ResultCode.INVALID_USAGE, 1, "enough", null));
    assertThatThrownBy(() -> group.engines.getFirst().await(work, 0))
        .hasMessageContaining("enough");
  }
}
