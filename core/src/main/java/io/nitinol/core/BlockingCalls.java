// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.StagingMemory;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
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
public final class BlockingCalls {
  private final Communicator communicator;
  private final StagingMemory staging;

  BlockingCalls(Communicator communicator, StagingMemory staging) {
    this.communicator = communicator;
    this.staging = staging;
  }

  /** A call with its buffers in native memory. */
  @FunctionalInterface
  private interface NativeCall {
    Work start(MemorySegment send, MemorySegment recv);
  }

  /** All-reduces in place: {@code values} become the reduction of all ranks' values. */
  public void allReduce(float[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(float[], ReductionOp)}. */
  public void allReduce(double[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(float[], ReductionOp)}. */
  public void allReduce(int[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(float[], ReductionOp)}. */
  public void allReduce(long[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(float[], ReductionOp)}. */
  public void allReduce(Elements values, ReductionOp op) {
    BufferCheck.given("all_reduce", "values", values);
    allReduce(values, values, op);
  }

  /** All-reduces from {@code send} to {@code recv}, which are of one length. */
  public void allReduce(Elements send, Elements recv, ReductionOp op) {
    same("all_reduce", send, recv, 1, 1);
    run(
        "all_reduce",
        send,
        recv,
        (from, to) -> communicator.allReduce(from, to, send.count(), send.type(), op));
  }

  /**
   * Reduces to one rank.
   *
   * @param recv the result, on the root; may be null on the others
   */
  public void reduce(Elements send, @Nullable Elements recv, ReductionOp op, int root) {
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

  /** Broadcasts in place: all ranks' {@code values} become the root's. */
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

  /** Gives every rank all ranks' {@code send} elements, in the order of ranks. */
  public void allGather(Elements send, Elements recv) {
    same("all_gather", send, recv, communicator.size(), 1);
    run(
        "all_gather",
        send,
        recv,
        (from, to) -> communicator.allGather(from, to, send.count(), send.type()));
  }

  /** Reduces all ranks' {@code send} elements and gives each rank its part. */
  public void reduceScatter(Elements send, Elements recv, ReductionOp op) {
    same("reduce_scatter", send, recv, 1, communicator.size());
    run(
        "reduce_scatter",
        send,
        recv,
        (from, to) -> communicator.reduceScatter(from, to, recv.count(), recv.type(), op));
  }

  /** Sends to every rank its part of {@code send}, and receives as many elements from each. */
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

  /**
   * Sends each rank its own number of elements, and receives as many as each rank has for this one.
   * The parts of both lie one behind the other, in the order of ranks, without gaps.
   *
   * @param sendCounts how many elements go to each rank, together all of {@code send}
   * @param recvCounts how many elements come from each rank, together all of {@code recv}
   */
  public void allToAllV(Elements send, long[] sendCounts, Elements recv, long[] recvCounts) {
    sameType("alltoallv", send, recv);
    long[] sendOffsets = offsets("sendCounts", sendCounts, send);
    long[] recvOffsets = offsets("recvCounts", recvCounts, recv);
    run(
        "alltoallv",
        send,
        recv,
        (from, to) ->
            communicator.allToAllV(
                from, sendCounts, sendOffsets, to, recvCounts, recvOffsets, send.type()));
  }

  /** Returns where parts begin that fill {@code elements} one behind the other. */
  private static long[] offsets(String name, long[] counts, Elements elements) {
    BufferCheck.given("alltoallv", name, counts);
    long[] offsets = new long[counts.length];
    long end = 0;
    for (int i = 0; i < counts.length; i++) {
      offsets[i] = end;
      end += counts[i];
    }
    if (end != elements.count()) {
      throw BufferCheck.invalid(
          "alltoallv",
          name,
          ErrorText.of("%d elements in all", end),
          ErrorText.of("%d, as the buffer has", elements.count()));
    }
    return offsets;
  }

  /**
   * Gathers at one rank.
   *
   * @param recv all ranks' elements, on the root; may be null on the others
   */
  public void gather(Elements send, @Nullable Elements recv, int root) {
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

  /**
   * Scatters from one rank.
   *
   * @param send all ranks' elements, on the root; may be null on the others
   */
  public void scatter(@Nullable Elements send, Elements recv, int root) {
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

  /** Sends to one rank. */
  public void send(Elements values, int peer) {
    BufferCheck.given("send", "values", values);
    run(
        "send",
        values,
        null,
        (from, to) -> communicator.send(from, values.count(), values.type(), peer));
  }

  /** Receives from one rank. */
  public void recv(Elements values, int peer) {
    BufferCheck.given("recv", "values", values);
    run(
        "recv",
        null,
        values,
        (from, to) -> communicator.recv(to, values.count(), values.type(), peer));
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
    if (Group.current() != null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          call + ": a blocking call within a group, which cannot wait; end the group first");
    }
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
        submitted = false;
        throw e;
      }
      work.await();
      submitted = false; // it is done
      if (recv != null && (in != null || (inPlace && out != null))) {
        recv.memory().copyFrom(to);
      }
    } finally {
      letGo(out, submitted);
      letGo(in, submitted);
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
