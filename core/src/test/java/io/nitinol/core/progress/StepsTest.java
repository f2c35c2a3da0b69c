// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.progress.task.CollectiveCall;
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
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every kind of step, in little schedules written out by hand. Averages show whether a contribution
 * was scaled once (float) and a result divided once (int).
 */
class StepsTest {
  private static final ChunkShape SHAPE = new ChunkShape(1024, 4, 64, 128, 256);
  private static final Choice MESSAGES = new Choice(Algorithm.TREE, Protocol.SIMPLE, 1);

  private static ObjLongConsumer<Step> step(StepKind kind) {
    return (step, n) -> step.begin(kind, n);
  }

  private static ObjLongConsumer<Step> to(StepKind kind, int peer) {
    return (step, n) -> step.begin(kind, n).to(peer);
  }

  private static ObjLongConsumer<Step> from(StepKind kind, int peer) {
    return (step, n) -> step.begin(kind, n).from(peer);
  }

  private static ObjLongConsumer<Step> last(StepKind kind, int peer) {
    return (step, n) -> step.begin(kind, n).from(peer).last(true);
  }

  private static ObjLongConsumer<Step> tell(Signal signal) {
    return (step, n) -> step.begin(StepKind.NOTHING, 0).signals(signal);
  }

  /** Does one thing a few times, and expects the average of all ranks on those that {@code has}. */
  private static void average(
      int n, Choice choice, long count, int times, IntFunction<Script> scripts) {
    for (DataType type : new DataType[] {DataType.FLOAT32, DataType.INT32}) {
      ReduceFunction function = ScalarKernels.instance().function(type, ReductionOp.AVG, n);
      run(n, choice, count, times, type, function, scripts, 0);
    }
  }

  /** Does one thing a few times, and expects the input of {@code root} everywhere. */
  private static void broadcast(
      int n, Choice choice, long count, int root, IntFunction<Script> scripts) {
    run(n, choice, count, 5, DataType.INT32, null, scripts, root);
  }

  private static void run(
      int n,
      Choice choice,
      long count,
      int times,
      DataType type,
      @Nullable ReduceFunction function,
      IntFunction<Script> scripts,
      int root) {
    EngineGroup.Plans plans =
        (rank, collective, asked, channel) -> new Schedule[] {scripts.apply(rank)};
    try (EngineGroup group = new EngineGroup(n, 1, SHAPE, 0, "park", 3, 0, plans);
        Arena arena = Arena.ofShared()) {
      for (int k = 0; k < times; k++) {
        MemorySegment[] outputs = new MemorySegment[n];
        long work = 0;
        for (int r = 0; r < n; r++) {
          MemorySegment input = arena.allocate(4 * count, 64);
          boolean inPlace = k % 2 == 1 && (function != null || r == root);
          outputs[r] = inPlace ? input : arena.allocate(4 * count, 64);
          for (long i = 0; i < count; i++) {
            set(input, type, i, value(n, r, i, k));
          }
          CollectiveCall call =
              new CollectiveCall(
                  Collective.ALL_REDUCE,
                  input,
                  outputs[r],
                  count,
                  type,
                  function == null ? CollectiveCall.NO_OPERATOR : ReductionOp.AVG.code(),
                  function,
                  root);
          work = group.engines.get(r).submit(call, choice, null);
        }
        for (int r = 0; r < n; r++) {
          assertThat(group.engines.get(r).await(work, 0)).isTrue();
        }
        for (int r = 0; r < n; r++) {
          for (long i = 0; i < count; i++) {
            int expected = function == null ? value(n, root, i, k) : average(n, i, k);
            if (get(outputs[r], type, i) != expected) {
              throw new AssertionError(
                  type
                      + " time "
                      + k
                      + " rank "
                      + r
                      + " element "
                      + i
                      + ": "
                      + get(outputs[r], type, i)
                      + ", expected "
                      + expected);
            }
          }
        }
      }
    }
  }

  /** A multiple of n squared, so that averages are whole however they are made. */
  private static int value(int n, int rank, long i, int time) {
    return n * n * (int) ((rank + 1) * (i % 50 + 1) + time);
  }

  private static int average(int n, long i, int time) {
    int sum = 0;
    for (int r = 0; r < n; r++) {
      sum += value(n, r, i, time);
    }
    return sum / n;
  }

  private static void set(MemorySegment in, DataType type, long i, int value) {
    if (type == DataType.FLOAT32) {
      in.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
    } else {
      in.setAtIndex(ValueLayout.JAVA_INT, i, value);
    }
  }

  private static int get(MemorySegment in, DataType type, long i) {
    return type == DataType.FLOAT32
        ? Math.round(in.getAtIndex(ValueLayout.JAVA_FLOAT, i))
        : in.getAtIndex(ValueLayout.JAVA_INT, i);
  }

  @Test
  void aTreeOfThree() {
    average(
        3,
        MESSAGES,
        100,
        6,
        rank ->
            rank == 0
                ? new Script(
                    from(StepKind.RECV_REDUCE_COPY, 1),
                    last(StepKind.RECV_COMBINE_COPY, 2),
                    to(StepKind.SEND_RESULT, 1),
                    to(StepKind.SEND_RESULT, 2))
                : new Script(to(StepKind.SEND, 0), from(StepKind.RECV, 0)));
  }

  @Test
  void aChain() {
    average(
        3,
        MESSAGES,
        100,
        6,
        rank ->
            switch (rank) {
              case 0 ->
                  new Script(
                      to(StepKind.SEND, 1),
                      (s, n) -> s.begin(StepKind.RECV_COPY_SEND, n).from(2).to(1));
              case 1 ->
                  new Script(
                      (s, n) -> s.begin(StepKind.RECV_REDUCE_SEND, n).from(0).to(2),
                      from(StepKind.RECV, 0));
              default ->
                  new Script((s, n) ->
                      s.begin(StepKind.RECV_REDUCE_COPY_SEND, n).from(1).to(0).last(true));
            });
  }

  @Test
  void aChainOfPartialResults() {
    average(
        3,
        MESSAGES,
        100,
        6,
        rank ->
            switch (rank) {
              case 0 ->
                  new Script(
                      step(StepKind.COPY),
                      to(StepKind.SEND_RESULT, 1),
                      (s, n) -> s.begin(StepKind.RECV_COPY_SEND, n).from(2).to(1));
              case 1 ->
                  new Script(
                      step(StepKind.COPY),
                      (s, n) -> s.begin(StepKind.RECV_COMBINE_SEND, n).from(0).to(2),
                      from(StepKind.RECV, 0));
              default ->
                  new Script(
                      step(StepKind.COPY),
                      (s, n) ->
                          s.begin(StepKind.RECV_COMBINE_COPY_SEND, n).from(1).to(0).last(true));
            });
  }

  @Test
  void anExchangeInOneOrder() {
    average(
        2,
        MESSAGES,
        100,
        6,
        rank ->
            new Script(
                to(StepKind.SEND, 1 - rank),
                (s, n) ->
                    s.begin(StepKind.RECV_REDUCE_COPY, n)
                        .from(1 - rank)
                        .localFirst(rank == 0)
                        .last(true)));
    average(
        2,
        MESSAGES,
        100,
        6,
        rank ->
            new Script(
                step(StepKind.COPY),
                to(StepKind.SEND_RESULT, 1 - rank),
                (s, n) ->
                    s.begin(StepKind.RECV_COMBINE_COPY, n)
                        .from(1 - rank)
                        .localFirst(rank == 0)
                        .last(true)));
  }

  @Test
  void dataThatIsOnlyPassedOn() {
    broadcast(
        3,
        MESSAGES,
        100,
        1,
        rank ->
            switch (rank) {
              case 1 ->
                  new Script(to(StepKind.SEND, 0), from(StepKind.RECV, 2), step(StepKind.COPY));
              case 0 ->
                  new Script(
                      (s, n) -> s.begin(StepKind.RECV_SEND, n).from(1).to(2),
                      from(StepKind.RECV, 2));
              default ->
                  new Script(
                      (s, n) -> s.begin(StepKind.RECV_COPY_SEND, n).from(0).to(1),
                      to(StepKind.SEND_RESULT, 0));
            });
  }

  @ParameterizedTest
  @CsvSource({"LL, 1", "LL, 2", "LL, 3", "SIMPLE, 2", "SIMPLE, 4"})
  void everyoneFoldsTheSlotsOfAll(Protocol protocol, int members) {
    int rounds = 11; // more than slots
    @SuppressWarnings({"unchecked", "rawtypes"})
    ObjLongConsumer<Step>[] steps = new ObjLongConsumer[2 * rounds];
    for (int k = 0; k < rounds; k++) {
      int round = k;
      steps[2 * k] =
          (s, n) ->
              s.begin(StepKind.PUT, n / rounds)
                  .at(round * (n / rounds))
                  .slot(round, 2)
                  .signals(Signal.POSTED);
      steps[2 * k + 1] =
          (s, n) ->
              s.begin(StepKind.FOLD, n / rounds)
                  .at(round * (n / rounds))
                  .slot(round, 2)
                  .awaits(Signal.POSTED, Step.ALL)
                  .signals(Signal.FREED)
                  .last(true);
    }
    average(
        members,
        new Choice(Algorithm.DIRECT, protocol, 1),
        rounds * 100,
        6,
        rank -> new Script(steps));
  }

  @ParameterizedTest
  @CsvSource({"LL, FOLD_PUT", "SIMPLE, FOLD_PUT", "LL, FOLD_SLOT", "SIMPLE, FOLD_SLOT"})
  void oneFoldsForAll(Protocol protocol, StepKind fold) {
    ObjLongConsumer<Step> put = (s, n) -> s.begin(StepKind.PUT, n).signals(Signal.POSTED);
    ObjLongConsumer<Step> get =
        (s, n) ->
            s.begin(StepKind.GET, n).slot(0, 0).awaits(Signal.SHARED, 1).signals(Signal.FREED);
    ObjLongConsumer<Step> shared =
        (s, n) ->
            s.begin(fold, n).awaits(Signal.POSTED, Step.ALL).signals(Signal.SHARED).last(true);
    average(
        3,
        new Choice(Algorithm.DIRECT, protocol, 1),
        100,
        12,
        rank -> rank == 1 ? new Script(put, shared, get) : new Script(put, get));
  }

  @ParameterizedTest
  @CsvSource({"LL", "SIMPLE"})
  void whatOneHasIsGotByAll(Protocol protocol) {
    ObjLongConsumer<Step> get =
        (s, n) -> s.begin(StepKind.GET, n).awaits(Signal.POSTED, 2).signals(Signal.FREED);
    broadcast(
        3,
        new Choice(Algorithm.DIRECT, protocol, 1),
        100,
        2,
        rank ->
            rank == 2
                ? new Script(
                    step(StepKind.COPY),
                    (s, n) -> s.begin(StepKind.PUT_RESULT, n).signals(Signal.POSTED),
                    tell(Signal.FREED))
                : new Script(get));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void buffersAreFoldedDirectly(int members) {
    long count = 9000; // more than a block
    average(
        members,
        new Choice(Algorithm.DIRECT, Protocol.SIMPLE, 1),
        count,
        6,
        rank ->
            new Script(
                tell(Signal.POSTED),
                (s, n) ->
                    s.begin(StepKind.FOLD_DIRECT, n / members)
                        .at(rank * (n / members))
                        .awaits(Signal.POSTED, Step.ALL)
                        .signals(Signal.SHARED)
                        .last(true),
                (s, n) ->
                    s.begin(StepKind.NOTHING, 0)
                        .awaits(Signal.SHARED, Step.ALL)
                        .signals(Signal.FREED)));
  }

  @Test
  void aBufferIsGotDirectly() {
    broadcast(
        3,
        new Choice(Algorithm.DIRECT, Protocol.SIMPLE, 1),
        9000,
        1,
        rank ->
            new Script(
                tell(Signal.POSTED),
                (s, n) ->
                    s.begin(StepKind.GET_DIRECT, n).awaits(Signal.POSTED, 1).signals(Signal.SHARED),
                (s, n) ->
                    s.begin(StepKind.NOTHING, 0)
                        .awaits(Signal.SHARED, Step.ALL)
                        .signals(Signal.FREED)));
  }

  @Test
  void tasksOfOneOperationUseTheDirectionsOfAConnectionSideBySide() {
    // One that only sends, one that only receives, and one that uses the team.
    EngineGroup.Plans plans =
        (rank, collective, choice, channel) ->
            new Schedule[] {sendingQuarters(rank), receivingQuarters(rank), teamHalf()};
    ReduceFunction sum = ScalarKernels.instance().function(DataType.INT32, ReductionOp.SUM, 2);
    try (EngineGroup group = new EngineGroup(2, 2, SHAPE, 0, "park", 3, 0, plans);
        Arena arena = Arena.ofShared()) {
      MemorySegment[] outputs = new MemorySegment[2];
      for (int k = 0; k < 4; k++) {
        for (int r = 0; r < 2; r++) {
          MemorySegment input = arena.allocate(4 * 400, 64);
          for (int i = 0; i < 400; i++) {
            input.setAtIndex(ValueLayout.JAVA_INT, i, (r + 1) * 1000 + i);
          }
          MemorySegment output = arena.allocate(4 * 400, 64);
          outputs[r] = output;
          CollectiveCall call =
              new CollectiveCall(
                  Collective.ALL_REDUCE, input, output, 400, DataType.INT32, 0, sum, 0);
          group.engines.get(r).submit(call, MESSAGES, null);
        }
        for (int r = 0; r < 2; r++) {
          assertThat(group.engines.get(r).await(k + 1, 0)).isTrue();
          for (int i = 0; i < 400; i++) {
            int found = Objects.requireNonNull(outputs[r]).getAtIndex(ValueLayout.JAVA_INT, i);
            assertThat(found).as("element %d", i).isEqualTo(3000 + 2 * i);
          }
        }
      }
    }
  }

  private static Script sendingQuarters(int rank) {
    return new Script(
        (s, n) -> s.begin(StepKind.SEND, n / 4).at(0).to(1 - rank),
        (s, n) -> s.begin(StepKind.SEND, n / 4).at(n / 4).to(1 - rank));
  }

  private static Script receivingQuarters(int rank) {
    return new Script(
        (s, n) -> s.begin(StepKind.RECV_REDUCE_COPY, n / 4).at(0).from(1 - rank).last(true),
        (s, n) -> s.begin(StepKind.RECV_REDUCE_COPY, n / 4).at(n / 4).from(1 - rank).last(true));
  }

  private static Script teamHalf() {
    return new Script(
        (s, n) -> s.begin(StepKind.PUT, n / 2).at(n / 2).signals(Signal.POSTED),
        (s, n) ->
            s.begin(StepKind.FOLD, n / 2)
                .at(n / 2)
                .awaits(Signal.POSTED, Step.ALL)
                .signals(Signal.FREED)
                .last(true));
  }
}
