// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the calls of one communicator whose arguments have been checked: submits each at once, or
 * leaves it to the group that the calling thread is in. Returns the number of the operation or,
 * with a group, that of the call within the group ({@link GroupCalls#call}).
 */
@AnyThread
public final class Calls {
  private final int rank;
  private final int size;
  private final Engine engine;
  private final CallRecords records = new CallRecords();
  private final Submitter submitter;
  private final KernelProvider kernels;
  private final StagingMemory staging = new StagingMemory();
  private final @Nullable ProfilerSession profiler;
  private volatile boolean ended;
  private volatile @Nullable MemorySegment barrierByte;

  /**
   * Creates the calls of one communicator.
   *
   * @param profiler the profiler that hears of the calls; null for none
   */
  public Calls(
      int rank,
      int size,
      Engine engine,
      Submitter submitter,
      KernelProvider kernels,
      @Nullable ProfilerSession profiler) {
    this.rank = rank;
    this.size = size;
    this.engine = engine;
    this.submitter = submitter;
    this.kernels = kernels;
    this.profiler = profiler;
  }

  int rank() {
    return rank;
  }

  int size() {
    return size;
  }

  /** Returns a thread that uses buffers beside those that wait. */
  Thread user() {
    return engine.thread();
  }

  /** Returns the native memory for data that is not native itself, or is put together. */
  public StagingMemory staging() {
    return staging;
  }

  /** Returns the byte that barriers reduce, which lives as long as the communicator. */
  MemorySegment barrierByte() {
    MemorySegment known = barrierByte;
    if (known == null) {
      synchronized (staging) {
        known = barrierByte;
        if (known == null) {
          known = staging.lend(1).memory().asSlice(0, 1);
          barrierByte = known;
        }
      }
    }
    return known;
  }

  /** Returns the kernel of an operator that plugins know. */
  public ReduceFunction function(DataType type, ReductionOp op) {
    return kernels.function(type, op, size);
  }

  /**
   * Makes the operator of a pre-multiplied sum.
   *
   * @param scalarBits this rank's scalar, as {@link Scalar} encodes it
   */
  public ScaledSum scaledSum(DataType type, long scalarBits) {
    return new ScaledSum(
        this,
        type,
        kernels.preMulSum(type, scalarBits),
        DeviceReduction.preMulSum(type, size, scalarBits));
  }

  /** Refuses all calls from now on. */
  public void end() {
    ended = true;
    records.forget();
  }

  /** Returns the records of this communicator's collectives. */
  CallRecords records() {
    return records;
  }

  /** Throws INVALID_USAGE where the application has closed or finished the communicator. */
  public void checkOpen(String call) {
    if (ended) {
      throw new CommException(ResultCode.INVALID_USAGE, call + ": the communicator is closed");
    }
  }

  /** Throws where nothing can be submitted any more. */
  void check() {
    checkOpen("group");
    submitter.check();
  }

  /** Submits a collective, or leaves it to {@code group}. */
  long collective(@Nullable GroupCalls group, CollectiveCall call) {
    if (group != null && group.prepares()) {
      return group.prepare(prepared(call));
    }
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

  private long take(@Nullable GroupCalls group, CollectiveCall call, long event) {
    if (group == null) {
      return submitter.submit(call, null);
    }
    GroupedCall handle = new GroupedCall(engine, call.collective().label(), event);
    return group.add(new Call.OfCollective(this, handle, call));
  }

  /**
   * Submits sends and receives, or leaves them to {@code group}.
   *
   * @param function what was called, of {@code count} elements of {@code type}, for a profiler
   */
  long transfers(
      @Nullable GroupCalls group,
      String call,
      Collective function,
      long count,
      DataType type,
      int root,
      List<TransferBatch.Piece> pieces) {
    if (group != null && group.prepares()) {
      List<MemorySegment> buffers = pieces.stream().map(TransferBatch.Piece::buffer).toList();
      if (profiler != null) { // whose events are new ones in each operation
        return group.prepare(
            prepared(
                call, buffers, () -> transfers(null, call, function, count, type, root, pieces)));
      }
      PairTransfers messages = submitter.transfers(batch(call, pieces));
      return group.prepare(prepared(call, buffers, () -> submitter.submit(messages)));
    }
    CallEvents events = events(group);
    if (events == null) {
      return take(group, call, pieces, 0);
    }
    boolean message = function == Collective.SEND || function == Collective.RECV;
    long event =
        message
            ? events.message(function, count, type)
            : events.collective(function, count, type, root);
    try {
      return take(group, call, pieces.stream().map(piece -> piece.of(event)).toList(), event);
    } finally {
      end(group, events, event);
    }
  }

  private long take(
      @Nullable GroupCalls group, String call, List<TransferBatch.Piece> pieces, long event) {
    if (group != null) {
      return group.add(new Call.OfMessages(this, new GroupedCall(engine, call, event), pieces));
    }
    return submit(batch(call, pieces));
  }

  private TransferBatch batch(String call, List<TransferBatch.Piece> pieces) {
    TransferBatch batch = new TransferBatch(rank);
    pieces.forEach(batch::add);
    try {
      batch.check();
    } catch (CommException e) {
      throw new CommException(e.result(), call + ": " + e.getMessage());
    }
    return batch;
  }

  /**
   * Checks the arguments of one call and keeps it, to be started often.
   *
   * @param call makes the call within what it is given
   * @throws CommException the mistake of the call
   */
  public PreparedCall prepare(Consumer<GroupCalls> call) {
    GroupCalls keeper = GroupCalls.forPreparing();
    call.accept(keeper);
    return keeper.prepared();
  }

  private PreparedCall prepared(CollectiveCall call) {
    return prepared(
        call.op() == CollectiveCall.BARRIER ? "barrier" : call.collective().label(),
        List.of(call.input(), call.output()),
        () -> collective(null, call));
  }

  private PreparedCall prepared(String call, List<MemorySegment> buffers, LongSupplier submission) {
    MemorySegment[] used = buffers.toArray(MemorySegment[]::new); // an iterator would be allocated
    return new PreparedCall(
        engine,
        call,
        () -> {
          checkOpen(call);
          for (MemorySegment buffer : used) {
            BufferCheck.alive(call, "a buffer", buffer);
          }
          return submission.getAsLong();
        });
  }

  /** Throws the mistake of a call, or leaves it to the end of {@code group}. */
  long mistake(@Nullable GroupCalls group, String call, CommException error) {
    if (group == null) {
      throw error;
    }
    return group.add(new Call.OfMistake(this, new GroupedCall(engine, call, 0), error));
  }

  /** Submits a collective at the end of its group. */
  long submit(CollectiveCall call, @Nullable Runnable completion) {
    return submitter.submit(call, completion);
  }

  /** Submits messages that were checked. */
  long submit(TransferBatch batch) {
    return submitter.submit(batch);
  }
}
