// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.CollectiveCall;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
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

  /** Who is told of the calls; null where nobody is. */
  private final @Nullable ProfilerSession profiler;

  /**
   * Creates the calls of one communicator.
   *
   * @param closed whether the communicator takes no calls any more
   * @param profiler who is told of the calls; null for nobody
   */
  Calls(
      int rank,
      int size,
      Engine engine,
      Submitter submitter,
      KernelProvider kernels,
      BooleanSupplier closed,
      @Nullable ProfilerSession profiler) {
    this.rank = rank;
    this.size = size;
    this.engine = engine;
    this.submitter = submitter;
    this.kernels = kernels;
    this.closed = closed;
    this.profiler = profiler;
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
  Work collective(@Nullable GroupCalls group, CollectiveCall call) {
    CallEvents events = events(group);
    if (events == null) {
      return take(group, call, 0);
    }
    long event = events.collective(call.collective(), call.count(), call.type(), call.root());
    try {
      return take(group, call, event);
    } finally {
      end(group, events, event);
    }
  }

  /** Returns what a call belongs to, for a profiler; null where there is none. */
  private @Nullable CallEvents events(@Nullable GroupCalls group) {
    ProfilerSession session = profiler;
    if (session == null) {
      return null;
    }
    return group == null ? session.call() : group.events(this, session);
  }

  private static void end(@Nullable GroupCalls group, CallEvents events, long call) {
    events.returns(call);
    if (group == null) {
      events.end();
    }
  }

  private Work take(@Nullable GroupCalls group, CollectiveCall call, long event) {
    if (group == null) {
      return new Work(engine, submitter.submit(call, null));
    }
    GroupedWork work = new GroupedWork(engine, call.collective().label());
    work.calledAs(event);
    return group.add(new Call.Whole(this, work, call.kept()));
  }

  /**
   * Submits sends and receives, or leaves them to {@code group}.
   *
   * @param function what was called, of {@code count} elements of {@code type}, for a profiler
   */
  Work transfers(
      @Nullable GroupCalls group,
      String call,
      Collective function,
      long count,
      DataType type,
      int root,
      List<TransferBatch.Piece> pieces) {
    CallEvents events = events(group);
    if (events == null) {
      return take(group, call, pieces);
    }
    boolean message = function == Collective.SEND || function == Collective.RECV;
    long event =
        message
            ? events.message(function, count, type)
            : events.collective(function, count, type, root);
    try {
      return take(group, call, pieces.stream().map(piece -> piece.of(event)).toList());
    } finally {
      end(group, events, event);
    }
  }

  private Work take(@Nullable GroupCalls group, String call, List<TransferBatch.Piece> pieces) {
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
  Work submit(CollectiveCall call, @Nullable Runnable completion) {
    return new Work(engine, submitter.submit(call, completion));
  }

  /** Submits messages that were checked. */
  Work submit(TransferBatch batch) {
    return new Work(engine, submitter.submit(batch));
  }
}
