// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Checks the arguments of a communicator's collectives. Each method submits the call, or leaves it
 * to {@code group}, and returns what {@link Calls} returns.
 */
@AnyThread
public final class CollectiveCalls {
  private final Calls calls;
  private final int rank;
  private final int size;
  private final CallRecords records;

  /** Creates the collectives of one communicator. */
  public CollectiveCalls(Calls calls) {
    this.calls = calls;
    this.rank = calls.rank();
    this.size = calls.size();
    this.records = calls.records();
  }

  /** Mirrors {@code ncclAllReduce}. */
  public long allReduce(
      @Nullable GroupCalls group,
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      @Nullable Operator op) {
    try {
      calls.checkOpen("all_reduce");
      long bytes = BufferCheck.bytes("all_reduce", count, type);
      BufferCheck.readable("all_reduce", "send", send, bytes, calls.user());
      BufferCheck.writable("all_reduce", "recv", recv, bytes, calls.user());
      BufferCheck.overlap("all_reduce", send, recv, bytes);
      ReduceFunction function = function("all_reduce", type, op);
      return calls.collective(
          group, records.of(Collective.ALL_REDUCE, send, recv, count, type, code(op), function, 0));
    } catch (CommException e) {
      return calls.mistake(group, "all_reduce", e);
    }
  }

  /** Waits for all ranks: all-reduces one byte, which comes of all of them. */
  public long barrier(@Nullable GroupCalls group) {
    try {
      calls.checkOpen("barrier");
      MemorySegment scratch = calls.barrierByte();
      return calls.collective(
          group,
          records.of(
              Collective.ALL_REDUCE,
              scratch,
              scratch,
              1,
              DataType.UINT8,
              HostReduction.BARRIER.code(),
              HostReduction.BARRIER.function("barrier", calls, DataType.UINT8),
              0));
    } catch (CommException e) {
      return calls.mistake(group, "barrier", e);
    }
  }

  /** Mirrors {@code ncclReduce}. */
  public long reduce(
      @Nullable GroupCalls group,
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      @Nullable Operator op,
      int root) {
    try {
      calls.checkOpen("reduce");
      BufferCheck.rank("reduce", "root", root, size);
      long bytes = BufferCheck.bytes("reduce", count, type);
      BufferCheck.readable("reduce", "send", send, bytes, calls.user());
      MemorySegment result = MemorySegment.NULL;
      if (rank == root) {
        result = BufferCheck.writable("reduce", "recv", recv, bytes, calls.user());
        BufferCheck.apart("reduce", send, bytes, result, bytes, 0);
      }
      ReduceFunction function = function("reduce", type, op);
      return calls.collective(
          group,
          records.of(Collective.REDUCE, send, result, count, type, code(op), function, root));
    } catch (CommException e) {
      return calls.mistake(group, "reduce", e);
    }
  }

  /** Mirrors {@code ncclBroadcast}. */
  public long broadcast(
      @Nullable GroupCalls group,
      @Nullable MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      int root) {
    try {
      calls.checkOpen("broadcast");
      BufferCheck.rank("broadcast", "root", root, size);
      long bytes = BufferCheck.bytes("broadcast", count, type);
      BufferCheck.writable("broadcast", "recv", recv, bytes, calls.user());
      MemorySegment source = MemorySegment.NULL;
      if (rank == root) {
        source = BufferCheck.readable("broadcast", "send", send, bytes, calls.user());
        BufferCheck.apart("broadcast", source, bytes, recv, bytes, 0);
      }
      return calls.collective(
          group,
          records.of(
              Collective.BROADCAST,
              source,
              recv,
              count,
              type,
              CollectiveCall.NO_OPERATOR,
              null,
              root));
    } catch (CommException e) {
      return calls.mistake(group, "broadcast", e);
    }
  }

  /** Mirrors {@code ncclAllGather}. */
  public long allGather(
      @Nullable GroupCalls group,
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type) {
    try {
      calls.checkOpen("all_gather");
      long all = BufferCheck.bytes("all_gather", count, type, size);
      long own = all / size;
      BufferCheck.readable("all_gather", "send", send, own, calls.user());
      BufferCheck.writable("all_gather", "recv", recv, all, calls.user());
      BufferCheck.apart("all_gather", send, own, recv, all, rank * own);
      return calls.collective(
          group,
          records.of(
              Collective.ALL_GATHER, send, recv, count, type, CollectiveCall.NO_OPERATOR, null, 0));
    } catch (CommException e) {
      return calls.mistake(group, "all_gather", e);
    }
  }

  /** Mirrors {@code ncclReduceScatter}. */
  public long reduceScatter(
      @Nullable GroupCalls group,
      MemorySegment send,
      MemorySegment recv,
      long count,
      DataType type,
      @Nullable Operator op) {
    try {
      calls.checkOpen("reduce_scatter");
      long all = BufferCheck.bytes("reduce_scatter", count, type, size);
      long own = all / size;
      BufferCheck.readable("reduce_scatter", "send", send, all, calls.user());
      BufferCheck.writable("reduce_scatter", "recv", recv, own, calls.user());
      BufferCheck.apart("reduce_scatter", send, all, recv, own, -rank * own);
      ReduceFunction function = function("reduce_scatter", type, op);
      return calls.collective(
          group,
          records.of(Collective.REDUCE_SCATTER, send, recv, count, type, code(op), function, 0));
    } catch (CommException e) {
      return calls.mistake(group, "reduce_scatter", e);
    }
  }

  /** Returns the kernel of an operator, and checks that one is given. */
  private ReduceFunction function(String call, DataType type, @Nullable Operator op) {
    if (op == null) {
      throw BufferCheck.invalid(call, "op", "null", "an operator");
    }
    return op.function(call, calls, type);
  }

  private static int code(@Nullable Operator op) {
    return op == null ? CollectiveCall.NO_OPERATOR : op.code();
  }
}
