// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership in a group of ranks that run collectives together; mirrors {@code
 * ncclComm_t}. Every rank makes the same calls in the same order. Calls may come from any thread
 * and are taken one after the other, in the order in which they arrive.
 *
 * <p>A collective returns once it is submitted; its {@link Work} tells when it is done. At most 256
 * operations of a communicator are under way: a further call waits, and does its part of the work,
 * until the oldest is done. Whoever calls for several ranks from one thread therefore calls each
 * operation for all of them before the next, or at least never runs 256 ahead.
 *
 * <p>Buffers belong to the caller, must stay as they are until the operation is done, and are
 * native memory that every thread may use ({@code Arena.ofShared()} or {@code Arena.global()}).
 * When the communicator fails, the buffers of operations that were not done may still be in use,
 * and their contents are undefined; only once {@link #close} has returned may they be freed or
 * written.
 *
 * <p>When a rank dies or aborts, ranks turn out to have called different things, or nothing moves
 * for {@code NITINOL_TIMEOUT} seconds, the communicator fails on every rank: all operations pending
 * and to come throw a {@link CommException}, which names the same rank everywhere, the one where it
 * began, or none where no single one is to blame.
 */
public final class Communicator implements AutoCloseable {
  private final int rank;
  private final int size;
  private final String description;
  private final Engine engine;
  private final Choice choice;
  private final KernelProvider kernels;
  private final Bootstrap bootstrap;
  private final CommResources resources;

  Communicator(
      int rank,
      int size,
      String description,
      Engine engine,
      Choice choice,
      KernelProvider kernels,
      Bootstrap bootstrap,
      CommResources resources) {
    this.rank = rank;
    this.size = size;
    this.description = description;
    this.engine = engine;
    this.choice = choice;
    this.kernels = kernels;
    this.bootstrap = bootstrap;
    this.resources = resources;
  }

  /** Joins the group of {@code id} with the settings of the process; see the other {@code init}. */
  public static Communicator init(UniqueId id, int nRanks, int rank) {
    return init(id, nRanks, rank, CommConfig.standard());
  }

  /**
   * Joins a group of ranks; mirrors {@code ncclCommInitRank}. Returns when all ranks have come and
   * this one is connected to its neighbours.
   *
   * @param id the same on all ranks, made by one of them, and used for one group only
   * @param nRanks how many ranks there are
   * @param rank which of them this is, from 0; each is taken once
   * @param config what the application wants
   * @throws CommException when a rank does not come in time, ranks do not agree on what all must
   *     agree on, no network can be used, or a connection cannot be made
   */
  public static Communicator init(UniqueId id, int nRanks, int rank, CommConfig config) {
    return CommSetup.init(id, nRanks, rank, config);
  }

  /** Makes all ranks of a group in this process, with the settings of the process. */
  public static List<Communicator> initAll(int nRanks) {
    return initAll(nRanks, CommConfig.standard());
  }

  /**
   * Makes all ranks of a group in this process; mirrors {@code ncclCommInitAll}. Each rank is then
   * used by a thread of its own, or by one thread that submits for all before it waits for any. One
   * thread may be up to 256 operations ahead with one rank of what it has submitted for another; a
   * further call throws INVALID_USAGE and submits nothing (at once where the other rank was last
   * used by the same thread, after 30 s where nobody has used it yet).
   *
   * @param nRanks how many ranks
   * @param config what the application wants, the same for all
   * @return the communicators by rank
   * @throws CommException as {@link #init(UniqueId, int, int, CommConfig)}; no rank is left then
   */
  public static List<Communicator> initAll(int nRanks, CommConfig config) {
    return LocalGroup.init(nRanks, config);
  }

  /** Returns this rank, from 0; mirrors {@code ncclCommUserRank}. */
  public int rank() {
    return rank;
  }

  /** Returns how many ranks there are; mirrors {@code ncclCommCount}. */
  public int size() {
    return size;
  }

  /** Returns one line about the network, channels and buffers in use, for reports. */
  public String describe() {
    return description;
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into every rank's {@code
   * recv} buffer; mirrors {@code ncclAllReduce}. All ranks get the same bits.
   *
   * @param send this rank's contribution, {@code count} elements, of any alignment
   * @param recv where the result goes; at the very address of {@code send} for in place, or else
   *     not overlapping it
   * @param count how many elements, the same on all ranks; 0 does nothing
   * @param type the type of the elements
   * @param op the operator
   * @return the operation
   * @throws CommException INVALID_ARGUMENT, which leaves the communicator as it was, when an
   *     argument is wrong; INVALID_USAGE when the communicator is closed, or when this thread would
   *     wait for itself (see {@link #initAll(int, CommConfig)}); another code when it has failed
   */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    return new Work(engine, submitAllReduce(send, recv, count, type, op));
  }

  /** Returns what does the work. */
  Engine engine() {
    return engine;
  }

  private long submitAllReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    if (resources.isClosed()) {
      throw new CommException(ResultCode.INVALID_USAGE, "all_reduce: the communicator is closed");
    }
    long bytes = BufferCheck.bytes("all_reduce", count, type);
    BufferCheck.buffer("all_reduce", "send", send, bytes, false, engine.thread());
    BufferCheck.buffer("all_reduce", "recv", recv, bytes, true, engine.thread());
    BufferCheck.overlap("all_reduce", send, recv, bytes);
    ReduceFunction function = kernels.function(type, op, size);
    return engine.submit(
        Collective.ALL_REDUCE, choice, send, recv, count, type, op.code(), function, 0);
  }

  /**
   * Gives every rank some bytes of every rank, over the connections that the communicator was set
   * up with and not over its network: slow, and independent of what a tool measures. Every rank
   * calls it; it returns when all have.
   *
   * @param mine this rank's bytes, which may differ in length from the others'
   * @return the bytes by rank
   * @throws CommException when a rank has failed or does not come in time
   */
  public byte[][] exchange(byte[] mine) {
    try {
      return bootstrap.allGather(mine);
    } catch (BootstrapException e) {
      engine.failures().check(); // the verdict of all ranks says more than the broken exchange
      throw new CommException(e.result(), e.failedRank(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns why the communicator has failed, or null while it has not; mirrors {@code
   * ncclCommGetAsyncError}. Never waits.
   */
  public @Nullable CommException asyncError() {
    return engine.failures().get();
  }

  /**
   * Fails the communicator on all ranks, naming this one; mirrors {@code ncclCommAbort}. May be
   * called by any thread at any moment and returns at once; {@link #close} still has to follow, and
   * buffers of operations that were not done may be in use until then.
   */
  public void abort() {
    engine
        .failures()
        .fail(
            new CommException(
                ResultCode.INVALID_USAGE,
                rank,
                "rank " + rank + " was told to abort by its application",
                null));
  }

  /**
   * Leaves the group and frees everything; mirrors {@code ncclCommDestroy}. Operations still under
   * way get some time to end, then they are given up, and who waits for them gets an exception.
   * Once it has returned no buffer is in use any more. Closing twice does nothing.
   *
   * @throws CommException SYSTEM_ERROR when a thread could not be stopped, which the message names:
   *     buffers of operations that were not done must then never be freed, because it may still
   *     write to them; also when connections could not be closed or the other ranks not be told.
   *     The communicator is closed all the same
   */
  @Override
  public void close() {
    resources.close(engine);
  }
}
