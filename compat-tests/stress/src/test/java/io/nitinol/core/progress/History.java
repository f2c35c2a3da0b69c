// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.stress.Pool;
import java.lang.foreign.MemorySegment;

/** A ring whose last collective is about to be overwritten by the next lap. */
final class History {
  static final Pool<History> ALL = new Pool<>(History::new);

  private static final Choice RING = new Choice(Algorithm.RING, Protocol.SIMPLE, 1);
  private static final Choice TREE = new Choice(Algorithm.TREE, Protocol.LL, 2);
  private static final CollectiveCall OLD = call(Collective.BROADCAST, DataType.INT8, 11, 1);
  private static final CollectiveCall NEW = call(Collective.REDUCE, DataType.FLOAT64, 22, 2);

  private final OperationRing ring = new OperationRing();
  private final CallHistory history = new CallHistory(ring);
  private long noted;
  private int number;
  private CallSignature expected;

  private static CollectiveCall call(Collective collective, DataType type, long count, int root) {
    return new CollectiveCall(
        collective, MemorySegment.NULL, MemorySegment.NULL, count, type, 255, null, root);
  }

  private void claim(long sequence) {
    if (!ring.claim(sequence - 1)) {
      throw new IllegalStateException("another thread has claimed " + sequence);
    }
  }

  /** Returns a descriptor of the collective that is overwritten. */
  static Operation old() {
    Operation operation = new Operation();
    operation.collective(OLD, RING);
    return operation;
  }

  /** Returns a descriptor of the collective that overwrites it. */
  static Operation next() {
    Operation operation = new Operation();
    operation.collective(NEW, TREE);
    return operation;
  }

  long last() {
    return ring.last();
  }

  boolean claims(long last) {
    return ring.claim(last);
  }

  /** Publishes a collective, and takes all numbers behind it up to the last that leave it alone. */
  History begin() {
    noted = ring.last() + 1;
    claim(noted);
    ring.slot(noted).collective(OLD, RING);
    ring.slot(noted).publish(noted, null, 1, 2);
    history.note(noted, ++number);
    expected =
        new CallSignature(
            number, ring.slot(noted).headerWord(number, 0), ring.slot(noted).countWord());
    while (ring.last() < noted + OperationRing.CAPACITY - 3) {
      claim(ring.last() + 1);
    }
    return this;
  }

  /** Takes the number of the same slot, and writes to it. */
  void overwrite() {
    long next = noted + OperationRing.CAPACITY;
    claim(next - 2);
    claim(next - 1);
    claim(next);
    ring.slot(next).collective(NEW, TREE);
    ring.slot(next).publish(next, null, 1, 2);
  }

  /** Returns 0 where the history is silent, 1 where it is right. */
  int look() {
    CallSignature found = history.called(number);
    return found == null ? 0 : found.equals(expected) ? 1 : 2;
  }
}
