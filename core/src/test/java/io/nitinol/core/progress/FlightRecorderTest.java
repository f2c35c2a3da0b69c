// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of the last operations, and how many collectives that tells of. */
class FlightRecorderTest {
  private static final int KEPT = 2 * OperationRing.CAPACITY;

  private final FlightRecorder recorder = new FlightRecorder(1);
  private long last;
  private long collectives;
  private long batches;

  private void collective() {
    Operation operation = new Operation();
    operation.collective(
        new CollectiveCall(
            Collective.ALL_REDUCE,
            MemorySegment.NULL,
            MemorySegment.NULL,
            0,
            DataType.FLOAT32,
            ReductionOp.SUM.code(),
            null,
            0),
        new Choice(Algorithm.RING, Protocol.SIMPLE, 1));
    recorder.submitted(++last, operation);
  }

  private void batch() {
    Operation operation = new Operation();
    operation.batch(new PairTransfers(2));
    recorder.submitted(++last, operation);
  }

  private void beginCollective() {
    recorder.begun(last, ++collectives);
  }

  private void beginBatch() {
    recorder.begun(last, ++batches);
  }

  private List<FlightRecorder.Entry> entries() {
    return recorder.entries(last);
  }

  @Test
  void theLastOnesAreKeptWhenTheArrayIsFull() {
    for (int i = 0; i < KEPT + 3; i++) {
      collective();
      beginCollective();
    }
    assertThat(entries())
        .extracting(FlightRecorder.Entry::sequence)
        .hasSize(KEPT)
        .startsWith(4L)
        .endsWith(KEPT + 3L)
        .isSorted();
    assertThat(entries()).allMatch(entry -> entry.number() == entry.sequence());
  }

  @Test
  void collectivesThatBatchesHavePushedOutAreStillCounted() {
    for (int i = 0; i < 7; i++) {
      collective();
      beginCollective();
    }
    for (int i = 0; i < KEPT + 1; i++) {
      batch();
      beginBatch();
    }
    assertThat(entries()).hasSize(KEPT).allMatch(FlightRecorder.Entry::isBatch);
    assertThat(entries().getLast().number()).isEqualTo(KEPT + 1);
    assertThat(entries().getLast().collectives()).isEqualTo(7);
  }

  @Test
  void whatHasNotBegunHasItsNumberTooAlsoBehindAsManyAsCanBeUnderWay() {
    for (int i = 0; i < KEPT; i++) {
      batch();
      beginBatch();
    }
    for (int i = 0; i < OperationRing.CAPACITY / 2; i++) {
      batch();
      collective();
    }
    FlightRecorder.Entry collective = entries().getLast();
    FlightRecorder.Entry batch = entries().get(KEPT - 2);
    assertThat(collective.number()).isEqualTo(OperationRing.CAPACITY / 2);
    assertThat(batch.number()).isEqualTo(KEPT + OperationRing.CAPACITY / 2);
    assertThat(batch.collectives()).isEqualTo(OperationRing.CAPACITY / 2 - 1);
  }

  @Test
  void whatFollowsOneThatIsJustBeingSubmittedIsLeftOut() {
    collective();
    last++; // claimed, but not written yet
    collective();
    assertThat(entries()).extracting(FlightRecorder.Entry::sequence).containsExactly(1L);
  }

  @Test
  void timesTellWhetherItHasBegunAndEnded() {
    collective();
    assertThat(entries().getFirst().submitted()).isNotZero();
    assertThat(entries().getFirst().begun()).isZero();
    assertThat(entries().getFirst().ended()).isZero();
    beginCollective();
    FlightRecorder.Entry begun = entries().getFirst();
    assertThat(begun.begun() - begun.submitted()).isNotNegative();
    assertThat(begun.begun()).isNotZero();
    assertThat(begun.ended()).isZero();
    recorder.ended(1);
    assertThat(entries().getFirst().ended() - begun.begun()).isNotNegative();
    assertThat(entries().getFirst().ended()).isNotZero();
  }
}
