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

/** What the ring of operations tells where no flight recorder keeps more. */
class RecentOperationsTest {
  private final OperationRing ring = new OperationRing();
  private final CallHistory history = new CallHistory(ring);
  private long last;
  private long collectives;

  private Operation next() {
    assertThat(ring.claim(last)).isTrue();
    return ring.slot(++last);
  }

  private void collective(long count) {
    Operation slot = next();
    slot.collective(
        new CollectiveCall(
            Collective.ALL_REDUCE,
            MemorySegment.NULL,
            MemorySegment.NULL,
            count,
            DataType.FLOAT32,
            ReductionOp.SUM.code(),
            null,
            0),
        new Choice(Algorithm.RING, Protocol.SIMPLE, 1));
    slot.publish(last, null, 1, 2);
  }

  private void batch() {
    Operation slot = next();
    slot.batch(new PairTransfers(2));
    slot.publish(last, null, 1, 2);
  }

  /** As an executor does when the last operation comes to be at hand. */
  private void begin() {
    history.note(last, ++collectives);
  }

  private List<FlightRecorder.Entry> entries(long done) {
    return RecentOperations.of(ring, history, done, collectives);
  }

  @Test
  void nothingIsToldBeforeTheFirst() {
    assertThat(entries(0)).isEmpty();
  }

  @Test
  void collectivesAndBatchesAreNumberedOnBothSidesOfTheOneAtHand() {
    batch();
    collective(1);
    begin();
    batch();
    collective(2);
    begin();
    batch();
    collective(3);
    assertThat(entries(3))
        .extracting(FlightRecorder.Entry::isBatch)
        .containsExactly(true, false, true, false, true, false);
    assertThat(entries(3))
        .extracting(FlightRecorder.Entry::number)
        .containsExactly(1L, 1L, 2L, 2L, 3L, 3L);
    assertThat(entries(3))
        .extracting(entry -> entry.begun() != 0)
        .containsExactly(true, true, true, true, false, false);
  }

  @Test
  void batchesAreNumberedWhereNoCollectiveHasCome() {
    batch();
    batch();
    collective(1);
    assertThat(entries(2)).extracting(FlightRecorder.Entry::number).containsExactly(1L, 2L, 1L);
  }

  @Test
  void whatTheRingNoLongerHasIsLeftOut() {
    for (int i = 0; i < 2 * OperationRing.CAPACITY; i++) {
      collective(i);
      begin();
    }
    assertThat(entries(last))
        .hasSize(OperationRing.CAPACITY - 1)
        .allMatch(entry -> entry.number() == entry.sequence());
    assertThat(entries(last).getLast().sequence()).isEqualTo(last);
  }

  @Test
  void oneThatIsJustBeingWrittenEndsTheList() {
    collective(1);
    begin();
    collective(2);
    next();
    assertThat(entries(1)).extracting(FlightRecorder.Entry::sequence).containsExactly(1L, 2L);
  }
}
