// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link BlockingCalls}, each on {@link Elements} and on the arrays that these may be
 * of. The arrays' lengths are the counts. An array of bytes is one of signed integers.
 */
@AnyThread
public abstract sealed class ArrayCalls permits BlockingCalls {
  ArrayCalls() {}

  /** All-reduces in place: {@code values} become the reduction of all ranks' values. */
  public abstract void allReduce(Elements values, ReductionOp op);

  /** As {@link #allReduce(Elements, ReductionOp)}. */
  public final void allReduce(float[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(Elements, ReductionOp)}. */
  public final void allReduce(double[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(Elements, ReductionOp)}. */
  public final void allReduce(int[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(Elements, ReductionOp)}. */
  public final void allReduce(long[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** As {@link #allReduce(Elements, ReductionOp)}. */
  public final void allReduce(byte[] values, ReductionOp op) {
    allReduce(Elements.of(values), op);
  }

  /** All-reduces from {@code send} to {@code recv}, which are of one length. */
  public abstract void allReduce(Elements send, Elements recv, ReductionOp op);

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}. */
  public final void allReduce(float[] send, float[] recv, ReductionOp op) {
    allReduce(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}. */
  public final void allReduce(double[] send, double[] recv, ReductionOp op) {
    allReduce(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}. */
  public final void allReduce(int[] send, int[] recv, ReductionOp op) {
    allReduce(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}. */
  public final void allReduce(long[] send, long[] recv, ReductionOp op) {
    allReduce(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #allReduce(Elements, Elements, ReductionOp)}. */
  public final void allReduce(byte[] send, byte[] recv, ReductionOp op) {
    allReduce(Elements.of(send), Elements.of(recv), op);
  }

  /**
   * Reduces to one rank.
   *
   * @param recv the result, on the root; may be null on the others
   */
  public abstract void reduce(Elements send, @Nullable Elements recv, ReductionOp op, int root);

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}. */
  public final void reduce(float[] send, float @Nullable [] recv, ReductionOp op, int root) {
    reduce(Elements.of(send), recv == null ? null : Elements.of(recv), op, root);
  }

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}. */
  public final void reduce(double[] send, double @Nullable [] recv, ReductionOp op, int root) {
    reduce(Elements.of(send), recv == null ? null : Elements.of(recv), op, root);
  }

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}. */
  public final void reduce(int[] send, int @Nullable [] recv, ReductionOp op, int root) {
    reduce(Elements.of(send), recv == null ? null : Elements.of(recv), op, root);
  }

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}. */
  public final void reduce(long[] send, long @Nullable [] recv, ReductionOp op, int root) {
    reduce(Elements.of(send), recv == null ? null : Elements.of(recv), op, root);
  }

  /** As {@link #reduce(Elements, Elements, ReductionOp, int)}. */
  public final void reduce(byte[] send, byte @Nullable [] recv, ReductionOp op, int root) {
    reduce(Elements.of(send), recv == null ? null : Elements.of(recv), op, root);
  }

  /** Broadcasts in place: all ranks' {@code values} become the root's. */
  public abstract void broadcast(Elements values, int root);

  /** As {@link #broadcast(Elements, int)}. */
  public final void broadcast(float[] values, int root) {
    broadcast(Elements.of(values), root);
  }

  /** As {@link #broadcast(Elements, int)}. */
  public final void broadcast(double[] values, int root) {
    broadcast(Elements.of(values), root);
  }

  /** As {@link #broadcast(Elements, int)}. */
  public final void broadcast(int[] values, int root) {
    broadcast(Elements.of(values), root);
  }

  /** As {@link #broadcast(Elements, int)}. */
  public final void broadcast(long[] values, int root) {
    broadcast(Elements.of(values), root);
  }

  /** As {@link #broadcast(Elements, int)}. */
  public final void broadcast(byte[] values, int root) {
    broadcast(Elements.of(values), root);
  }

  /** Gives every rank all ranks' {@code send} elements, in the order of ranks. */
  public abstract void allGather(Elements send, Elements recv);

  /** As {@link #allGather(Elements, Elements)}. */
  public final void allGather(float[] send, float[] recv) {
    allGather(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allGather(Elements, Elements)}. */
  public final void allGather(double[] send, double[] recv) {
    allGather(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allGather(Elements, Elements)}. */
  public final void allGather(int[] send, int[] recv) {
    allGather(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allGather(Elements, Elements)}. */
  public final void allGather(long[] send, long[] recv) {
    allGather(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allGather(Elements, Elements)}. */
  public final void allGather(byte[] send, byte[] recv) {
    allGather(Elements.of(send), Elements.of(recv));
  }

  /**
   * Gives every rank the elements of every rank, which may differ in number. In {@code recv} they
   * lie one behind the other, in the order of ranks, without gaps.
   *
   * @param recvCounts how many elements come from each rank, the same on all; together all of
   *     {@code recv}
   */
  public abstract void allGatherV(Elements send, Elements recv, long[] recvCounts);

  /** As {@link #allGatherV(Elements, Elements, long[])}. */
  public final void allGatherV(float[] send, float[] recv, long[] recvCounts) {
    allGatherV(Elements.of(send), Elements.of(recv), recvCounts);
  }

  /** As {@link #allGatherV(Elements, Elements, long[])}. */
  public final void allGatherV(double[] send, double[] recv, long[] recvCounts) {
    allGatherV(Elements.of(send), Elements.of(recv), recvCounts);
  }

  /** As {@link #allGatherV(Elements, Elements, long[])}. */
  public final void allGatherV(int[] send, int[] recv, long[] recvCounts) {
    allGatherV(Elements.of(send), Elements.of(recv), recvCounts);
  }

  /** As {@link #allGatherV(Elements, Elements, long[])}. */
  public final void allGatherV(long[] send, long[] recv, long[] recvCounts) {
    allGatherV(Elements.of(send), Elements.of(recv), recvCounts);
  }

  /** As {@link #allGatherV(Elements, Elements, long[])}. */
  public final void allGatherV(byte[] send, byte[] recv, long[] recvCounts) {
    allGatherV(Elements.of(send), Elements.of(recv), recvCounts);
  }

  /** Reduces all ranks' {@code send} elements and gives each rank its part. */
  public abstract void reduceScatter(Elements send, Elements recv, ReductionOp op);

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}. */
  public final void reduceScatter(float[] send, float[] recv, ReductionOp op) {
    reduceScatter(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}. */
  public final void reduceScatter(double[] send, double[] recv, ReductionOp op) {
    reduceScatter(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}. */
  public final void reduceScatter(int[] send, int[] recv, ReductionOp op) {
    reduceScatter(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}. */
  public final void reduceScatter(long[] send, long[] recv, ReductionOp op) {
    reduceScatter(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #reduceScatter(Elements, Elements, ReductionOp)}. */
  public final void reduceScatter(byte[] send, byte[] recv, ReductionOp op) {
    reduceScatter(Elements.of(send), Elements.of(recv), op);
  }

  /** Sends to every rank its part of {@code send}, and receives as many elements from each. */
  public abstract void allToAll(Elements send, Elements recv);

  /** As {@link #allToAll(Elements, Elements)}. */
  public final void allToAll(float[] send, float[] recv) {
    allToAll(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allToAll(Elements, Elements)}. */
  public final void allToAll(double[] send, double[] recv) {
    allToAll(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allToAll(Elements, Elements)}. */
  public final void allToAll(int[] send, int[] recv) {
    allToAll(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allToAll(Elements, Elements)}. */
  public final void allToAll(long[] send, long[] recv) {
    allToAll(Elements.of(send), Elements.of(recv));
  }

  /** As {@link #allToAll(Elements, Elements)}. */
  public final void allToAll(byte[] send, byte[] recv) {
    allToAll(Elements.of(send), Elements.of(recv));
  }

  /**
   * Sends each rank its own number of elements, and receives as many as each rank has for this one.
   * The parts of both lie one behind the other, in the order of ranks, without gaps.
   *
   * @param sendCounts how many elements go to each rank, together all of {@code send}
   * @param recvCounts how many elements come from each rank, together all of {@code recv}
   */
  public abstract void allToAllV(
      Elements send, long[] sendCounts, Elements recv, long[] recvCounts);

  /** As {@link #allToAllV(Elements, long[], Elements, long[])}. */
  public final void allToAllV(float[] send, long[] sendCounts, float[] recv, long[] recvCounts) {
    allToAllV(Elements.of(send), sendCounts, Elements.of(recv), recvCounts);
  }

  /** As {@link #allToAllV(Elements, long[], Elements, long[])}. */
  public final void allToAllV(double[] send, long[] sendCounts, double[] recv, long[] recvCounts) {
    allToAllV(Elements.of(send), sendCounts, Elements.of(recv), recvCounts);
  }

  /** As {@link #allToAllV(Elements, long[], Elements, long[])}. */
  public final void allToAllV(int[] send, long[] sendCounts, int[] recv, long[] recvCounts) {
    allToAllV(Elements.of(send), sendCounts, Elements.of(recv), recvCounts);
  }

  /** As {@link #allToAllV(Elements, long[], Elements, long[])}. */
  public final void allToAllV(long[] send, long[] sendCounts, long[] recv, long[] recvCounts) {
    allToAllV(Elements.of(send), sendCounts, Elements.of(recv), recvCounts);
  }

  /** As {@link #allToAllV(Elements, long[], Elements, long[])}. */
  public final void allToAllV(byte[] send, long[] sendCounts, byte[] recv, long[] recvCounts) {
    allToAllV(Elements.of(send), sendCounts, Elements.of(recv), recvCounts);
  }

  /**
   * Gathers at one rank.
   *
   * @param recv all ranks' elements, on the root; may be null on the others
   */
  public abstract void gather(Elements send, @Nullable Elements recv, int root);

  /** As {@link #gather(Elements, Elements, int)}. */
  public final void gather(float[] send, float @Nullable [] recv, int root) {
    gather(Elements.of(send), recv == null ? null : Elements.of(recv), root);
  }

  /** As {@link #gather(Elements, Elements, int)}. */
  public final void gather(double[] send, double @Nullable [] recv, int root) {
    gather(Elements.of(send), recv == null ? null : Elements.of(recv), root);
  }

  /** As {@link #gather(Elements, Elements, int)}. */
  public final void gather(int[] send, int @Nullable [] recv, int root) {
    gather(Elements.of(send), recv == null ? null : Elements.of(recv), root);
  }

  /** As {@link #gather(Elements, Elements, int)}. */
  public final void gather(long[] send, long @Nullable [] recv, int root) {
    gather(Elements.of(send), recv == null ? null : Elements.of(recv), root);
  }

  /** As {@link #gather(Elements, Elements, int)}. */
  public final void gather(byte[] send, byte @Nullable [] recv, int root) {
    gather(Elements.of(send), recv == null ? null : Elements.of(recv), root);
  }

  /**
   * Gathers at one rank what may differ in number.
   *
   * @param recv all ranks' elements, one behind the other, on the root; may be null on the others
   * @param recvCounts as for {@link #allGatherV(Elements, Elements, long[])}, on the root; may be
   *     null on the others
   */
  public abstract void gatherV(
      Elements send, @Nullable Elements recv, long @Nullable [] recvCounts, int root);

  /** As {@link #gatherV(Elements, Elements, long[], int)}. */
  public final void gatherV(
      float[] send, float @Nullable [] recv, long @Nullable [] recvCounts, int root) {
    gatherV(Elements.of(send), recv == null ? null : Elements.of(recv), recvCounts, root);
  }

  /** As {@link #gatherV(Elements, Elements, long[], int)}. */
  public final void gatherV(
      double[] send, double @Nullable [] recv, long @Nullable [] recvCounts, int root) {
    gatherV(Elements.of(send), recv == null ? null : Elements.of(recv), recvCounts, root);
  }

  /** As {@link #gatherV(Elements, Elements, long[], int)}. */
  public final void gatherV(
      int[] send, int @Nullable [] recv, long @Nullable [] recvCounts, int root) {
    gatherV(Elements.of(send), recv == null ? null : Elements.of(recv), recvCounts, root);
  }

  /** As {@link #gatherV(Elements, Elements, long[], int)}. */
  public final void gatherV(
      long[] send, long @Nullable [] recv, long @Nullable [] recvCounts, int root) {
    gatherV(Elements.of(send), recv == null ? null : Elements.of(recv), recvCounts, root);
  }

  /** As {@link #gatherV(Elements, Elements, long[], int)}. */
  public final void gatherV(
      byte[] send, byte @Nullable [] recv, long @Nullable [] recvCounts, int root) {
    gatherV(Elements.of(send), recv == null ? null : Elements.of(recv), recvCounts, root);
  }

  /**
   * Scatters from one rank.
   *
   * @param send all ranks' elements, on the root; may be null on the others
   */
  public abstract void scatter(@Nullable Elements send, Elements recv, int root);

  /** As {@link #scatter(Elements, Elements, int)}. */
  public final void scatter(float @Nullable [] send, float[] recv, int root) {
    scatter(send == null ? null : Elements.of(send), Elements.of(recv), root);
  }

  /** As {@link #scatter(Elements, Elements, int)}. */
  public final void scatter(double @Nullable [] send, double[] recv, int root) {
    scatter(send == null ? null : Elements.of(send), Elements.of(recv), root);
  }

  /** As {@link #scatter(Elements, Elements, int)}. */
  public final void scatter(int @Nullable [] send, int[] recv, int root) {
    scatter(send == null ? null : Elements.of(send), Elements.of(recv), root);
  }

  /** As {@link #scatter(Elements, Elements, int)}. */
  public final void scatter(long @Nullable [] send, long[] recv, int root) {
    scatter(send == null ? null : Elements.of(send), Elements.of(recv), root);
  }

  /** As {@link #scatter(Elements, Elements, int)}. */
  public final void scatter(byte @Nullable [] send, byte[] recv, int root) {
    scatter(send == null ? null : Elements.of(send), Elements.of(recv), root);
  }

  /**
   * Scatters from one rank what may differ in number.
   *
   * @param send all ranks' elements, one behind the other, on the root; may be null on the others
   * @param sendCounts how many elements go to each rank, together all of {@code send}, on the root;
   *     may be null on the others
   */
  public abstract void scatterV(
      @Nullable Elements send, long @Nullable [] sendCounts, Elements recv, int root);

  /** As {@link #scatterV(Elements, long[], Elements, int)}. */
  public final void scatterV(
      float @Nullable [] send, long @Nullable [] sendCounts, float[] recv, int root) {
    scatterV(send == null ? null : Elements.of(send), sendCounts, Elements.of(recv), root);
  }

  /** As {@link #scatterV(Elements, long[], Elements, int)}. */
  public final void scatterV(
      double @Nullable [] send, long @Nullable [] sendCounts, double[] recv, int root) {
    scatterV(send == null ? null : Elements.of(send), sendCounts, Elements.of(recv), root);
  }

  /** As {@link #scatterV(Elements, long[], Elements, int)}. */
  public final void scatterV(
      int @Nullable [] send, long @Nullable [] sendCounts, int[] recv, int root) {
    scatterV(send == null ? null : Elements.of(send), sendCounts, Elements.of(recv), root);
  }

  /** As {@link #scatterV(Elements, long[], Elements, int)}. */
  public final void scatterV(
      long @Nullable [] send, long @Nullable [] sendCounts, long[] recv, int root) {
    scatterV(send == null ? null : Elements.of(send), sendCounts, Elements.of(recv), root);
  }

  /** As {@link #scatterV(Elements, long[], Elements, int)}. */
  public final void scatterV(
      byte @Nullable [] send, long @Nullable [] sendCounts, byte[] recv, int root) {
    scatterV(send == null ? null : Elements.of(send), sendCounts, Elements.of(recv), root);
  }

  /**
   * Gives every rank the reduction of the ranks up to itself, {@code MPI_Scan}. Partial results are
   * joined in the order of ranks.
   *
   * @param recv of the length of {@code send}
   * @param op any but the average
   */
  public abstract void scan(Elements send, Elements recv, ReductionOp op);

  /** As {@link #scan(Elements, Elements, ReductionOp)}. */
  public final void scan(float[] send, float[] recv, ReductionOp op) {
    scan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #scan(Elements, Elements, ReductionOp)}. */
  public final void scan(double[] send, double[] recv, ReductionOp op) {
    scan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #scan(Elements, Elements, ReductionOp)}. */
  public final void scan(int[] send, int[] recv, ReductionOp op) {
    scan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #scan(Elements, Elements, ReductionOp)}. */
  public final void scan(long[] send, long[] recv, ReductionOp op) {
    scan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #scan(Elements, Elements, ReductionOp)}. */
  public final void scan(byte[] send, byte[] recv, ReductionOp op) {
    scan(Elements.of(send), Elements.of(recv), op);
  }

  /**
   * Gives every rank the reduction of the ranks before it, {@code MPI_Exscan}; rank 0 keeps what it
   * has in {@code recv}.
   *
   * @param recv of the length of {@code send}
   * @param op any but the average
   */
  public abstract void exclusiveScan(Elements send, Elements recv, ReductionOp op);

  /** As {@link #exclusiveScan(Elements, Elements, ReductionOp)}. */
  public final void exclusiveScan(float[] send, float[] recv, ReductionOp op) {
    exclusiveScan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #exclusiveScan(Elements, Elements, ReductionOp)}. */
  public final void exclusiveScan(double[] send, double[] recv, ReductionOp op) {
    exclusiveScan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #exclusiveScan(Elements, Elements, ReductionOp)}. */
  public final void exclusiveScan(int[] send, int[] recv, ReductionOp op) {
    exclusiveScan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #exclusiveScan(Elements, Elements, ReductionOp)}. */
  public final void exclusiveScan(long[] send, long[] recv, ReductionOp op) {
    exclusiveScan(Elements.of(send), Elements.of(recv), op);
  }

  /** As {@link #exclusiveScan(Elements, Elements, ReductionOp)}. */
  public final void exclusiveScan(byte[] send, byte[] recv, ReductionOp op) {
    exclusiveScan(Elements.of(send), Elements.of(recv), op);
  }

  /** Sends to one rank. */
  public abstract void send(Elements values, int peer);

  /** As {@link #send(Elements, int)}. */
  public final void send(float[] values, int peer) {
    send(Elements.of(values), peer);
  }

  /** As {@link #send(Elements, int)}. */
  public final void send(double[] values, int peer) {
    send(Elements.of(values), peer);
  }

  /** As {@link #send(Elements, int)}. */
  public final void send(int[] values, int peer) {
    send(Elements.of(values), peer);
  }

  /** As {@link #send(Elements, int)}. */
  public final void send(long[] values, int peer) {
    send(Elements.of(values), peer);
  }

  /** As {@link #send(Elements, int)}. */
  public final void send(byte[] values, int peer) {
    send(Elements.of(values), peer);
  }

  /** Receives from one rank. */
  public abstract void recv(Elements values, int peer);

  /** As {@link #recv(Elements, int)}. */
  public final void recv(float[] values, int peer) {
    recv(Elements.of(values), peer);
  }

  /** As {@link #recv(Elements, int)}. */
  public final void recv(double[] values, int peer) {
    recv(Elements.of(values), peer);
  }

  /** As {@link #recv(Elements, int)}. */
  public final void recv(int[] values, int peer) {
    recv(Elements.of(values), peer);
  }

  /** As {@link #recv(Elements, int)}. */
  public final void recv(long[] values, int peer) {
    recv(Elements.of(values), peer);
  }

  /** As {@link #recv(Elements, int)}. */
  public final void recv(byte[] values, int peer) {
    recv(Elements.of(values), peer);
  }
}
