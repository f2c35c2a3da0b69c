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
import org.junit.jupiter.api.Test;

/** Bytes of operations are counted from the ring, however seldom that is asked. */
class DoneBytesTest {
  private static final int RANKS = 4;

  private final OperationRing ring = new OperationRing();
  private final DoneBytes bytes = new DoneBytes(ring, RANKS);
  private long last;

  private Operation next() {
    assertThat(ring.claim(last)).isTrue();
    return ring.slot(++last);
  }

  private void collective(Collective collective, long count) {
    Operation slot = next();
    slot.collective(
        new CollectiveCall(
            collective,
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

  @Test
  void eachCountsForItsLargerBuffer() {
    collective(Collective.ALL_REDUCE, 10);
    assertThat(bytes.upTo(1)).isEqualTo(40);
    collective(Collective.ALL_GATHER, 10);
    collective(Collective.REDUCE_SCATTER, 10);
    assertThat(bytes.upTo(2)).isEqualTo(200);
    assertThat(bytes.upTo(3)).isEqualTo(360);
  }

  @Test
  void aBatchCountsForWhatIsMore() {
    PairTransfers batch = new PairTransfers(RANKS);
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    batch.send(1, memory, 30);
    batch.send(2, memory, 40);
    batch.receive(1, memory, 50);
    next().batch(batch);
    ring.slot(last).publish(last, null, 1, 2);
    assertThat(bytes.upTo(1)).isEqualTo(70);
  }

  @Test
  void askedAgainItCountsNothingTwice() {
    collective(Collective.ALL_REDUCE, 10);
    collective(Collective.ALL_REDUCE, 20);
    assertThat(bytes.upTo(2)).isEqualTo(120);
    assertThat(bytes.upTo(2)).isEqualTo(120);
    assertThat(bytes.upTo(1)).as("of a thread that has looked before").isEqualTo(120);
  }

  @Test
  void thoseThatTheRingNoLongerHasAreTakenToBeAlike() {
    int many = 10 * OperationRing.CAPACITY;
    for (int i = 0; i < many; i++) {
      collective(Collective.ALL_REDUCE, 10);
    }
    assertThat(bytes.upTo(last)).isEqualTo(many * 40L);
  }
}
