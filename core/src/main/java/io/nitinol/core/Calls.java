// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.Engine;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a communicator's calls with their arguments checked: submits them at once, or leaves them
 * to the group that the thread is in.
 */
final class Calls {
  private final int rank;
  private final int size;
  private final Engine engine;
  private final Submitter submitter;
  private final KernelProvider kernels;
  private final BooleanSupplier closed;
  private final Staging staging = new Staging();

  /**
   * Creates the calls of one communicator.
   *
   * @param closed whether the communicator takes no calls any more
   */
  Calls(
      int rank,
      int size,
      Engine engine,
      Submitter submitter,
      KernelProvider kernels,
      BooleanSupplier closed) {
    this.rank = rank;
    this.size = size;
    this.engine = engine;
    this.submitter = submitter;
    this.kernels = kernels;
    this.closed = closed;
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  /** Returns a thread that uses buffers, other than those that wait. */
  Thread user() {
    return engine.thread();
  }

  Staging staging() {
    return staging;
  }

  ReduceFunction function(DataType type, ReductionOp op) {
    return kernels.function(type, op, size);
  }

  ReduceFunction preMulSum(DataType type, long scalarBits) {
    return kernels.preMulSum(type, scalarBits);
  }

  /** Throws where the application has closed the communicator. */
  void checkOpen(String call) {
    if (closed.getAsBoolean()) {
      throw new CommException(ResultCode.INVALID_USAGE, call + ": the communicator is closed");
    }
  }

  /** Throws where nothing can be submitted any more. */
  void check() {
    checkOpen("group");
    submitter.check();
  }

  /** Submits a collective, or leaves it to {@code group}. */
  Work collective(
      @Nullable GroupCalls group,
      Collective collective,
      @Nullable MemorySegment input,
      @Nullable MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root) {
    MemorySegment in = input == null ? MemorySegment.NULL : input;
    MemorySegment out = output == null ? MemorySegment.NULL : output;
    if (group == null) {
      return new Work(
          engine, submitter.collective(collective, in, out, count, type, op, function, root, null));
    }
    GroupedWork work = new GroupedWork(engine, collective.label());
    return group.add(
        new Call.Whole(this, work, collective, in, out, count, type, op, function, root));
  }

  /** Submits sends and receives, or leaves them to {@code group}. */
  Work transfers(@Nullable GroupCalls group, String call, List<TransferBatch.Piece> pieces) {
    if (group == null) {
      TransferBatch batch = new TransferBatch(rank);
      pieces.forEach(batch::add);
      try {
        batch.check();
      } catch (CommException e) {
        throw new CommException(e.result(), call + ": " + e.getMessage());
      }
      return submit(batch);
    }
    return group.add(new Call.Messages(this, new GroupedWork(engine, call), pieces));
  }

  /** Throws what is wrong with a call, or leaves that to the end of {@code group}. */
  Work mistake(@Nullable GroupCalls group, String call, CommException error) {
    if (group == null) {
      throw error;
    }
    return group.add(new Call.Mistake(this, new GroupedWork(engine, call), error));
  }

  /** Submits a collective at the end of its group. */
  Work submit(Call.Whole call, @Nullable Runnable completion) {
    return new Work(
        engine,
        submitter.collective(
            call.collective(),
            call.input(),
            call.output(),
            call.count(),
            call.type(),
            call.op(),
            call.function(),
            call.root(),
            completion));
  }

  /** Submits messages that were checked. */
  Work submit(TransferBatch batch) {
    return new Work(engine, submitter.transfers(batch));
  }
}
