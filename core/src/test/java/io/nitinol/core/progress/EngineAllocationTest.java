// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.kernel.ThreadAllocation;
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
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operations allocate nothing once their code is compiled, on the thread that calls and drives. */
class EngineAllocationTest {
  private static final int OPERATIONS = 5_000;
  private static final int ATTEMPTS = 100;

  /** Objects that are kept are made, however little the compiler thinks of it. */
  private @Nullable PairTransfers kept;

  private final ChunkShape shape = new ChunkShape(1024, 4, 64, 128, 256);

  private static void expectNone(Engine engine, LongSupplier submit) throws Throwable {
    long allocated = Long.MAX_VALUE;
    // Interpreted code allocates, and when it is compiled is the JIT's affair.
    for (int k = 0; k < ATTEMPTS && allocated >= OPERATIONS; k++) {
      long before = ThreadAllocation.bytes();
      for (int i = 0; i < OPERATIONS; i++) {
        engine.await(submit.getAsLong(), 0);
      }
      allocated = ThreadAllocation.bytes() - before;
    }
    assertThat(allocated).as("bytes for %d operations", OPERATIONS).isLessThan(OPERATIONS);
  }

  @Test
  void collectivesOverSlots() throws Throwable {
    EngineGroup.Plans plans =
        (rank, collective, choice, channel) ->
            new Schedule[] {
              new Script(
                  (s, n) -> s.begin(StepKind.PUT, n).signals(Signal.POSTED),
                  (s, n) ->
                      s.begin(StepKind.FOLD, n)
                          .awaits(Signal.POSTED, Step.ALL)
                          .signals(Signal.FREED)
                          .last(true))
            };
    Choice choice = new Choice(Algorithm.DIRECT, Protocol.LL, 1);
    ReduceFunction sum = ScalarKernels.instance().function(DataType.INT32, ReductionOp.SUM, 1);
    try (EngineGroup group = new EngineGroup(1, 1, shape, 0, "park", 1, 0, plans);
        Arena arena = Arena.ofShared()) {
      Engine engine = group.engines.getFirst();
      MemorySegment input = arena.allocate(64, 64);
      MemorySegment output = arena.allocate(64, 64);
      CollectiveCall call =
          new CollectiveCall(Collective.ALL_REDUCE, input, output, 16, DataType.INT32, 0, sum, 0);
      expectNone(engine, () -> engine.submit(call, choice, null));
    }
  }

  @Test
  void batchesThatAreUsedAgain() throws Throwable {
    try (EngineGroup group = new EngineGroup(1, 1, shape, 0, "park", 1);
        Arena arena = Arena.ofShared()) {
      Engine engine = group.engines.getFirst();
      PairTransfers batch = new PairTransfers(1);
      batch.send(0, arena.allocate(64), 64);
      batch.receive(0, arena.allocate(64), 64);
      expectNone(engine, () -> engine.submit(batch));
    }
  }

  @Test
  void batchesThatNobodyIsToldOfHaveNoMemoryForThat() throws Throwable {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(64);
      assertThat(bytesOf(data, null)).isLessThan(bytesOf(data, DataType.FLOAT32));
    }
  }

  private long bytesOf(MemorySegment data, @Nullable DataType type) throws Throwable {
    long least = Long.MAX_VALUE;
    for (int k = 0; k < ATTEMPTS; k++) {
      long before = ThreadAllocation.bytes();
      for (int i = 0; i < OPERATIONS; i++) {
        PairTransfers batch = new PairTransfers(1);
        batch.send(0, data, 64, type, 0);
        kept = batch;
      }
      least = Math.min(least, ThreadAllocation.bytes() - before);
    }
    assertThat(kept).isNotNull();
    return least;
  }
}
