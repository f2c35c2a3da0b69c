// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What ranks are told that differ. */
class OperationTest {
  private static long word(int past) {
    return MessageHeader.word(
        7,
        Collective.ALL_REDUCE.code(),
        DataType.FLOAT32.code(),
        ReductionOp.SUM.code(),
        0,
        0,
        past);
  }

  private static Operation done(Collective collective, long bytes, int executors, int parts) {
    Operation operation = new Operation();
    MemorySegment buffer = MemorySegment.ofAddress(4096).reinterpret(bytes);
    operation.collective(
        new CollectiveCall(collective, buffer, buffer, bytes / 4, DataType.FLOAT32, 0, null, 0),
        new Choice(Algorithm.RING, Protocol.SIMPLE, 1));
    operation.publish(1, null, executors, 4);
    for (int i = 0; i < parts; i++) {
      operation.partDone();
    }
    return operation;
  }

  /** An application may drop them, and the ring comes around late or never. */
  @Test
  void largeBuffersAreLetGoOfWithTheLastPart() {
    assertThat(done(Collective.ALL_REDUCE, 1 << 20, 2, 1).input().address()).isEqualTo(4096);
    Operation large = done(Collective.ALL_REDUCE, 1 << 20, 2, 2);
    assertThat(large.input()).isEqualTo(MemorySegment.NULL);
    assertThat(large.output()).isEqualTo(MemorySegment.NULL);
    assertThat(large.inputBytes(1)).isEqualTo(1 << 20);
    assertThat(done(Collective.ALL_REDUCE, (1 << 20) - 4, 1, 1).input().address()).isEqualTo(4096);
    assertThat(done(Collective.ALL_GATHER, 1 << 18, 1, 1).output()).isEqualTo(MemorySegment.NULL);
  }

  @Test
  void rootsAreNamedOnlyWhereTheyDiffer() {
    assertThat(Operation.describeDifference(0, word(1), 2, 1, word(2), 2))
        .isEqualTo("ranks 1 and 0 named different roots in an operation before this one");
  }

  /** The header is as it should be, so only the size can be wrong, which the network tells. */
  @Test
  void aSizeThatTheNetworkGotWrongIsNotTheApplicationsFault() {
    assertThat(Operation.describeDifference(0, word(1), 2, 1, word(1), 2))
        .doesNotContain("root")
        .contains("the network plugin", "NITINOL_VALIDATE=1");
  }

  /** The algorithm lies in the second word, beside the count. */
  @Test
  void anotherAlgorithmIsNotTakenForAnotherCall() {
    int ring = new Choice(Algorithm.RING, Protocol.SIMPLE, 1).code();
    int tree = new Choice(Algorithm.TREE, Protocol.SIMPLE, 1).code();
    long mine = MessageHeader.countWord(2, ring);
    long theirs = MessageHeader.countWord(2, tree);
    assertThat(Operation.describeDifference(0, word(1), mine, 1, word(1), theirs))
        .startsWith("ranks 1 and 0 chose different ways to do the same operation");
    assertThat(Operation.describeHeader(word(1), theirs)).contains("of 2 float sum, by TREE/");
    assertThat(
            Operation.describeDifference(
                0, word(1), mine, 1, word(1), MessageHeader.countWord(3, ring)))
        .isEqualTo("ranks 1 and 0 called different operations");
  }
}
