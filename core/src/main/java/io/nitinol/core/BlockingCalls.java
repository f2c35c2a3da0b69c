// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.StagingMemory;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a communicator for Java arrays and buffers: each returns when it is done. What lies
 * in the Java heap is copied to native memory, which the communicator keeps for the next call, and
 * back: once in and once out, at the speed of memory. Direct buffers and native segments are used
 * in place. Counts come from the elements, whose types must agree; where a result is longer than
 * what is contributed, or the other way round, it must be so by the number of ranks exactly.
 *
 * <p>Errors are those of {@link Communicator}'s calls. Not within a {@link Group}, whose calls
 * cannot wait. One thread calls for one rank only; a thread that drives several ranks uses {@link
 * Work}.
 */
@AnyThread
public final class BlockingCalls extends ArrayCalls {
  private final Communicator communicator;
  private final StagingMemory staging;
  private final Scans scans;

  BlockingCalls(Communicator communicator, StagingMemory staging) {
    this.communicator = communicator;
    this.staging = staging;
    this.scans = new Scans(communicator, staging);
  }

  /** A call with its buffers in native memory. */
  @FunctionalInterface
  private interface NativeCall {
    /** Returns what is to be waited for; null where that was done already. */
    @Nullable Work start(MemorySegment send, MemorySegment recv);
  }

  @Override
  public void allReduce(Elements values, ReductionOp op) {
    BufferCheck.given("all_reduce", "values", values);
    allReduce(values, values, op);
  }

  @Override
  public void allReduce(Elements send, Elements recv, ReductionOp op) {
    same("all_reduce", send, recv, 1, 1);
    run(
        "all_reduce",
        send,
        recv,
        (from, to) -> communicator.allReduce(from, to, send.count(), send.type(), op));
  }

  @Override
  public void reduce(Elements send, @Nullable Elements recv, ReductionOp op, int root) {
    BufferCheck.given("reduce", "send", send);
    Elements into = communicator.rank() == root ? recv : null;
    if (into != null) {
      same("reduce", send, into, 1, 1);
    }
    run(
        "reduce",
        send,
        into,
        (from, to) ->
            communicator.reduce(
                from, into == null ? null : to, send.count(), send.type(), op, root));
  }

  @Override
  public void broadcast(Elements values, int root) {
    BufferCheck.given("broadcast", "values", values);
    boolean source = communicator.rank() == root;
    run(
        "broadcast",
        source ? values : null,
        values,
        (from, to) ->
            communicator.broadcast(
                source ? from : null, source ? from : to, values.count(), values.type(), root));
  }

  @Override
  public void allGather(Elements send, Elements recv) {
    same("all_gather", send, recv, communicator.size(), 1);
    run(
        "all_gather",
        send,
        recv,
        (from, to) -> communicator.allGather(from, to, send.count(), send.type()));
  }

  @Override
  public void reduceScatter(Elements send, Elements recv, ReductionOp op) {
    same("reduce_scatter", send, recv, 1, communicator.size());
    run(
        "reduce_scatter",
        send,
        recv,
        (from, to) -> communicator.reduceScatter(from, to, recv.count(), recv.type(), op));
  }

  @Override
  public void allToAll(Elements send, Elements recv) {
    same("alltoall", send, recv, 1, 1);
    int size = communicator.size();
    if (send.count() % size != 0) {
      throw BufferCheck.invalid(
          "alltoall",
          "send",
          ErrorText.of("%d elements", send.count()),
          ErrorText.of("a multiple of %d, the ranks", size));
    }
    run(
        "alltoall",
        send,
        recv,
        (from, to) -> communicator.allToAll(from, to, send.count() / size, send.type()));
  }

  @Override
  public void allToAllV(Elements send, long[] sendCounts, Elements recv, long[] recvCounts) {
    sameType("alltoallv", send, recv);
    long[] sendOffsets = offsets("alltoallv", "sendCounts", sendCounts, send);
    long[] recvOffsets = offsets("alltoallv", "recvCounts", recvCounts, recv);
    run(
        "alltoallv",
        send,
        recv,
        (from, to) ->
            communicator.allToAllV(
                from, sendCounts, sendOffsets, to, recvCounts, recvOffsets, send.type()));
  }

  /** Returns where parts begin that fill {@code elements} one behind the other. */
  private static long[] offsets(
      String call, String name, long @Nullable [] counts, Elements elements) {
    if (counts == null) {
      throw BufferCheck.invalid(call, name, "null", "one entry for each rank");
    }
    long[] offsets = new long[counts.length];
    long end = 0;
    for (int i = 0; i < counts.length; i++) {
      offsets[i] = end;
      end += counts[i];
    }
    if (end != elements.count()) {
      throw BufferCheck.invalid(
          call,
          name,
          ErrorText.of("%d elements in all", end),
          ErrorText.of("%d, as the buffer has", elements.count()));
    }
    return offsets;
  }

  @Override
  public void gather(Elements send, @Nullable Elements recv, int root) {
    BufferCheck.given("gather", "send", send);
    Elements into = communicator.rank() == root ? recv : null;
    if (into != null) {
      same("gather", send, into, communicator.size(), 1);
    }
    run(
        "gather",
        send,
        into,
        (from, to) ->
            communicator.gather(from, into == null ? null : to, send.count(), send.type(), root));
  }

  @Override
  public void scatter(@Nullable Elements send, Elements recv, int root) {
    BufferCheck.given("scatter", "recv", recv);
    Elements source = communicator.rank() == root ? send : null;
    if (source != null) {
      same("scatter", source, recv, 1, communicator.size());
    }
    run(
        "scatter",
        source,
        recv,
        (from, to) ->
            communicator.scatter(
                source == null ? null : from, to, recv.count(), recv.type(), root));
  }

  @Override
  public void send(Elements values, int peer) {
    BufferCheck.given("send", "values", values);
    run(
        "send",
        values,
        null,
        (from, to) -> communicator.send(from, values.count(), values.type(), peer));
  }

  @Override
  public void recv(Elements values, int peer) {
    BufferCheck.given("recv", "values", values);
    run(
        "recv",
        null,
        values,
        (from, to) -> communicator.recv(to, values.count(), values.type(), peer));
  }

  @Override
  public void allGatherV(Elements send, Elements recv, long[] recvCounts) {
    sameType("all_gather_v", send, recv);
    long[] offsets = offsets("all_gather_v", "recvCounts", recvCounts, recv);
    run(
        "all_gather_v",
        send,
        recv,
        (from, to) ->
            communicator.allGatherV(from, send.count(), to, recvCounts, offsets, send.type()));
  }

  @Override
  public void gatherV(
      Elements send, @Nullable Elements recv, long @Nullable [] recvCounts, int root) {
    BufferCheck.given("gather_v", "send", send);
    Elements into = communicator.rank() == root ? recv : null;
    long[] offsets = null;
    if (into != null) {
      sameType("gather_v", send, into);
      offsets = offsets("gather_v", "recvCounts", recvCounts, into);
    }
    long[] at = offsets;
    run(
        "gather_v",
        send,
        into,
        (from, to) ->
            communicator.gatherV(
                from, send.count(), into == null ? null : to, recvCounts, at, send.type(), root));
  }

  @Override
  public void scatterV(
      @Nullable Elements send, long @Nullable [] sendCounts, Elements recv, int root) {
    BufferCheck.given("scatter_v", "recv", recv);
    Elements source = communicator.rank() == root ? send : null;
    long[] offsets = null;
    if (source != null) {
      sameType("scatter_v", source, recv);
      offsets = offsets("scatter_v", "sendCounts", sendCounts, source);
    }
    long[] at = offsets;
    run(
        "scatter_v",
        source,
        recv,
        (from, to) ->
            communicator.scatterV(
                source == null ? null : from, sendCounts, at, to, recv.count(), recv.type(), root));
  }

  /**
   * Finds the least values of all ranks and where they are, {@code MPI_MINLOC}: {@code values}
   * become the least ones, and {@code locations} what the rank that has a least one gave with it;
   * of several such ranks the least.
   *
   * @param values of 32-bit or 64-bit integers, floats or doubles
   * @param locations one for each value, such as a rank or an index; less than 2<sup>63</sup> - 1
   */
  public void minLoc(Elements values, long[] locations) {
    new Locations(this::allReduce).reduce("min_loc", values, locations, ReductionOp.MIN);
  }

  /** As {@link #minLoc} with the greatest values, {@code MPI_MAXLOC}. */
  public void maxLoc(Elements values, long[] locations) {
    new Locations(this::allReduce).reduce("max_loc", values, locations, ReductionOp.MAX);
  }

  /** Returns when every rank has called it. */
  public void barrier() {
    notInGroup("barrier");
    communicator.barrier().await();
  }

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}, with an operator beyond NCCL's. */
  public void allReduce(Elements send, Elements recv, HostOperator op) {
    same("all_reduce", send, recv, 1, 1);
    run(
        "all_reduce",
        send,
        recv,
        (from, to) -> communicator.allReduce(from, to, send.count(), send.type(), op));
  }

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}, with an operator beyond NCCL's. */
  public void reduce(Elements send, @Nullable Elements recv, HostOperator op, int root) {
    BufferCheck.given("reduce", "send", send);
    Elements into = communicator.rank() == root ? recv : null;
    if (into != null) {
      same("reduce", send, into, 1, 1);
    }
    run(
        "reduce",
        send,
        into,
        (from, to) ->
            communicator.reduce(
                from, into == null ? null : to, send.count(), send.type(), op, root));
  }

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}, with an operator beyond NCCL's. */
  public void reduceScatter(Elements send, Elements recv, HostOperator op) {
    same("reduce_scatter", send, recv, 1, communicator.size());
    run(
        "reduce_scatter",
        send,
        recv,
        (from, to) -> communicator.reduceScatter(from, to, recv.count(), recv.type(), op));
  }

  @Override
  public void scan(Elements send, Elements recv, ReductionOp op) {
    same("scan", send, recv, 1, 1);
    ReduceFunction kernel = scans.kernel("scan", send.type(), op);
    run(
        "scan",
        send,
        recv,
        (from, to) -> scans.scan(from, to, send.count(), send.type(), kernel),
        true);
  }

  @Override
  public void exclusiveScan(Elements send, Elements recv, ReductionOp op) {
    same("exclusive_scan", send, recv, 1, 1);
    ReduceFunction kernel = scans.kernel("exclusive_scan", send.type(), op);
    run(
        "exclusive_scan",
        send,
        communicator.rank() == 0 ? null : recv,
        (from, to) -> scans.exclusiveScan(from, to, send.count(), send.type(), kernel),
        true);
  }

  /** Checks types, and that {@code recvTimes * send.count == sendTimes * recv.count}. */
  private static void same(
      String call, Elements send, Elements recv, int recvTimes, int sendTimes) {
    sameType(call, send, recv);
    if (recvTimes * send.count() != sendTimes * recv.count()) {
      throw BufferCheck.invalid(
          call,
          "recv",
          recv.count() + " elements",
          sendTimes == 1
              ? ErrorText.of("%d for %d of send", recvTimes * send.count(), send.count())
              : ErrorText.of("as many as give %d of send times %d ranks", send.count(), sendTimes));
    }
  }

  private static void sameType(String call, Elements send, Elements recv) {
    BufferCheck.given(call, "send", send);
    BufferCheck.given(call, "recv", recv);
    DataType type = send.type();
    if (recv.type() != type) {
      throw BufferCheck.invalid(
          call, "recv", recv.type().label() + " elements", type.label() + ", as send has");
    }
  }

  private void run(
      String call, @Nullable Elements send, @Nullable Elements recv, NativeCall start) {
    run(call, send, recv, start, false);
  }

  /**
   * Runs a call.
   *
   * @param waits whether {@code start} waits itself, so that what it throws may come of an
   *     operation that still uses the buffers
   */
  private void run(
      String call,
      @Nullable Elements send,
      @Nullable Elements recv,
      NativeCall start,
      boolean waits) {
    notInGroup(call);
    StagingMemory.Buffer out = null;
    StagingMemory.Buffer in = null;
    boolean submitted = false;
    try {
      MemorySegment from = MemorySegment.NULL;
      if (send != null) {
        out = lend(send);
        from = out == null ? send.memory() : slice(out, send);
        if (out != null) {
          from.copyFrom(send.memory());
        }
      }
      MemorySegment to = MemorySegment.NULL;
      boolean inPlace = send != null && recv != null && isSame(send.memory(), recv.memory());
      if (recv != null) {
        in = inPlace ? null : lend(recv);
        to = inPlace ? from : in == null ? recv.memory() : slice(in, recv);
      }
      submitted = true; // an Error may come after it was
      Work work;
      try {
        work = start.start(from, to);
      } catch (RuntimeException e) {
        submitted = waits;
        throw e;
      }
      if (work != null) {
        work.await();
      }
      submitted = false; // it is done
      if (recv != null && (in != null || (inPlace && out != null))) {
        recv.memory().copyFrom(to);
      }
    } finally {
      letGo(out, submitted);
      letGo(in, submitted);
    }
  }

  private static void notInGroup(String call) {
    if (Group.current() != null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          call + ": a blocking call within a group, which cannot wait; end the group first");
    }
  }

  private StagingMemory.@Nullable Buffer lend(Elements elements) {
    return elements.memory().isNative() ? null : staging.hold(elements.memory().byteSize());
  }

  private static MemorySegment slice(StagingMemory.Buffer buffer, Elements elements) {
    return buffer.memory().asSlice(0, elements.memory().byteSize());
  }

  private static boolean isSame(MemorySegment one, MemorySegment other) {
    return one.equals(other);
  }

  /** After a failure the operation may still use the buffers until the communicator is closed. */
  private void letGo(StagingMemory.@Nullable Buffer buffer, boolean used) {
    if (buffer == null) {
      return;
    }
    if (used) {
      staging.leave(buffer);
    } else {
      staging.giveBack(buffer);
    }
  }
}
