// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective that a rank has called, with its arguments checked: what travels from the call to
 * the descriptor in the ring of operations, where its components are copied.
 *
 * <p>Immutable, so that a loop that makes the same call again can use the same record; a call must
 * allocate nothing ({@code bench/allocation}).
 *
 * @param input this rank's contribution; {@link MemorySegment#NULL} where it has none
 * @param output where the result goes; {@link MemorySegment#NULL} where this rank gets none
 * @param count elements, in the sense of {@link io.nitinol.core.schedule.Schedule#plan}; with 0
 *     nothing is done
 * @param op the operator's code, {@link #PRE_MUL_SUM}, or {@link #NO_OPERATOR} where nothing is
 *     reduced; only for messages and to compare with other ranks
 * @param function the kernel that reduces; null where data is only moved
 * @param root the rank where it begins or ends; 0 where it has none
 */
public record CollectiveCall(
    Collective collective,
    MemorySegment input,
    MemorySegment output,
    long count,
    DataType type,
    int op,
    @Nullable ReduceFunction function,
    int root) {
  /** The operator's code of a pre-multiplied sum, behind NCCL's own numbers. */
  public static final int PRE_MUL_SUM = 5;

  /** The code of the first operator that only this host's kernels know. */
  public static final int FIRST_OF_HOST = 6;

  /** The operator's code of {@code HostOperator.BIT_AND}. */
  public static final int BIT_AND = 6;

  /** The operator's code of {@code HostOperator.BIT_OR}. */
  public static final int BIT_OR = 7;

  /** The operator's code of {@code HostOperator.BIT_XOR}. */
  public static final int BIT_XOR = 8;

  /** The operator's code of one that the application gives as code. */
  public static final int OF_APPLICATION = 9;

  /** The operator's code of a barrier, whose elements mean nothing. */
  public static final int BARRIER = 10;

  /** The operator's code of a collective that does not reduce. */
  public static final int NO_OPERATOR = 255;

  /** Returns the bytes of {@link #count} elements. */
  public long bytes() {
    return count * type.size();
  }

  /** Returns whether this has these very components. */
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // is it the very one?
  public boolean is(
      Collective otherCollective,
      MemorySegment otherInput,
      MemorySegment otherOutput,
      long otherCount,
      DataType otherType,
      int otherOp,
      @Nullable ReduceFunction otherFunction,
      int otherRoot) {
    return input == otherInput
        && output == otherOutput
        && count == otherCount
        && collective == otherCollective
        && type == otherType
        && op == otherOp
        && function == otherFunction
        && root == otherRoot;
  }

  /** Returns the same call in place, for all elements of {@code data}. */
  public CollectiveCall inPlace(MemorySegment data) {
    long elements = data.byteSize() / type.size();
    return new CollectiveCall(collective, data, data, elements, type, op, function, root);
  }
}
