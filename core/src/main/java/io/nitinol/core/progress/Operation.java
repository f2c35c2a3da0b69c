// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One submitted operation: a descriptor that the ring reuses. Its fields are written by the
 * submitting thread before {@link #publish} and read by others after {@link #isPublished}.
 */
final class Operation {
  private static final VarHandle PUBLISHED;

  static {
    try {
      PUBLISHED = MethodHandles.lookup().findVarHandle(Operation.class, "published", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  Collective collective = Collective.ALL_REDUCE;
  MemorySegment input = MemorySegment.NULL;
  MemorySegment output = MemorySegment.NULL;
  long count;
  DataType type = DataType.INT8;
  ReductionOp op = ReductionOp.SUM;
  @Nullable ReduceFunction function;
  long sequence;
  long headerWord;

  @SuppressWarnings("UnusedVariable") // by PUBLISHED
  private long published;

  boolean isPublished(long asSequence) {
    return (long) PUBLISHED.getAcquire(this) == asSequence;
  }

  void publish(long asSequence) {
    sequence = asSequence;
    headerWord = MessageHeader.word(asSequence, collective.code(), type.code(), op.code());
    PUBLISHED.setRelease(this, asSequence);
  }

  @Override
  public String toString() {
    return describe(sequence, collective.label(), count, type.label(), op.label());
  }

  /** Returns what the rank called that wrote a message with this header. */
  static String describeHeader(long word, long count) {
    Collective collective = Collective.ofCode(MessageHeader.collective(word));
    DataType type = DataType.ofCode(MessageHeader.type(word));
    ReductionOp op = ReductionOp.ofCode(MessageHeader.op(word));
    return describe(
        MessageHeader.sequence(word) & 0xffff_ffffL,
        collective == null ? "an unknown collective" : collective.label(),
        count,
        type == null ? "unknown type" : type.label(),
        op == null ? "unknown operator" : op.label());
  }

  private static String describe(
      long sequence, String collective, long count, String type, String op) {
    return "operation " + sequence + ", " + collective + " of " + count + " " + type + " " + op;
  }
}
