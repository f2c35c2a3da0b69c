// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership in a group of ranks that run collectives together; mirrors {@code
 * ncclComm_t}. Every rank makes the same calls in the same order. Calls may come from any thread
 * and are taken one after the other, in the order in which they arrive.
 *
 * <p>A call returns once it is submitted; its {@link Work} tells when it is done. At most 256
 * operations of a communicator are under way: a further call waits, and does its part of the work,
 * until the oldest is done. Whoever calls for several ranks from one thread therefore calls each
 * operation for all of them before the next, or at least never runs 256 ahead.
 *
 * <p>The calls throw a {@link CommException}: INVALID_ARGUMENT when an argument is wrong and
 * INVALID_USAGE when the communicator is closed or the thread would wait for itself, both of which
 * leave the communicator as it was; another code when it has failed. Within a {@link Group} they
 * are only collected, and the group's end throws.
 *
 * <p>Counts are in elements and may exceed 2<sup>31</sup>; with 0 a call does nothing but take its
 * place in the order. Buffers may have any alignment and be longer than needed. {@link #blocking}
 * gives calls that take Java arrays and buffers, and wait.
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
public final class Communicator extends Operations implements AutoCloseable {
  /** The color of ranks that a {@link #split} leaves out; mirrors {@code NCCL_SPLIT_NOCOLOR}. */
  public static final int NO_COLOR = -1;

  private final int rank;
  private final int size;
  private final CommConfig config;
  private final String description;
  private final Engine engine;
  private final Bootstrap bootstrap;
  private final CommResources resources;
  private final Descendants descendants;
  private final AtomicBoolean finished;
  private final Calls calls;
  private final BlockingCalls blocking;

  Communicator(
      int rank,
      int size,
      CommConfig config,
      String description,
      Engine engine,
      Submitter submitter,
      KernelProvider kernels,
      @Nullable ProfilerSession profiler,
      Bootstrap bootstrap,
      CommResources resources) {
    AtomicBoolean finished = new AtomicBoolean();
    Calls calls =
        new Calls(
            rank,
            size,
            engine,
            submitter,
            kernels,
            () -> resources.isClosed() || finished.get(),
            profiler);
    super(calls);
    this.calls = calls;
    this.finished = finished;
    this.rank = rank;
    this.size = size;
    this.config = config;
    this.description = description;
    this.engine = engine;
    this.bootstrap = bootstrap;
    this.resources = resources;
    this.descendants = new Descendants(bootstrap, engine.failures(), config);
    this.blocking = new BlockingCalls(this, calls.staging());
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
    BufferCheck.given("init", "id", id);
    BufferCheck.given("init", "config", config);
    return CommSetup.init(id, nRanks, rank, config);
  }

  /**
   * Joins a group of ranks in the background; mirrors {@code ncclCommInitRankConfig} with {@code
   * blocking = 0}. Returns at once; the parameters are those of {@link #init(UniqueId, int, int,
   * CommConfig)}.
   *
   * @throws CommException SYSTEM_ERROR when the thread that does it cannot be started; all else is
   *     reported by what is returned
   */
  public static PendingCommunicator initAsync(
      UniqueId id, int nRanks, int rank, CommConfig config) {
    BufferCheck.given("init", "id", id);
    BufferCheck.given("init", "config", config);
    return PendingCommunicator.start(
        config.label(rank) + "-init",
        rank,
        abort -> CommSetup.init(id, nRanks, rank, config, null, abort));
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
    BufferCheck.given("init", "config", config);
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

  /**
   * Returns the device whose memory buffers are; mirrors {@code ncclCommCuDevice}. -1, since they
   * are host memory.
   */
  public int device() {
    return -1;
  }

  /** Returns what the communicator was made with. */
  public CommConfig config() {
    return config;
  }

  /** Returns one line about the network, channels and buffers in use, for reports. */
  public String describe() {
    return description;
  }

  /** Returns the calls that take Java arrays and buffers, and wait until they are done. */
  public BlockingCalls blocking() {
    return blocking;
  }

  /** Returns what does the work. */
  Engine engine() {
    return engine;
  }

  /**
   * Makes communicators out of the ranks of this one; mirrors {@code ncclCommSplit}. Every rank
   * calls it; those that give the same color become one communicator, in the order of their keys
   * and, where these are equal, of their ranks here. Both communicators can be used side by side,
   * and each is closed on its own. Waits for all ranks, so who drives several ranks from one thread
   * uses a thread for each here; calls of one communicator one after the other.
   *
   * @param color 0 or more, or {@link #NO_COLOR} to be in none
   * @param key decides the order
   * @return the new communicator, with this one's configuration; null for {@link #NO_COLOR}
   * @throws CommException INVALID_ARGUMENT for another color; otherwise as {@link #init(UniqueId,
   *     int, int, CommConfig)}, or when this communicator has failed. It leaves this communicator
   *     as it was, unless that has failed itself
   */
  public @Nullable Communicator split(int color, int key) {
    calls.checkOpen("split");
    return descendants.split(color, key);
  }

  /**
   * Makes a communicator out of the ranks of this one but some; mirrors {@code ncclCommShrink},
   * with its abort flag where this communicator has failed. All ranks that are not excluded call it
   * with the same ranks, in any order; the excluded ones need not live. They keep their order.
   *
   * <p>After a failure: all ranks know of it ({@link #asyncError}) and which rank it began at
   * ({@link CommException#failedRank}). The survivors call this before they close the communicator
   * that has failed, since it is how they find each other, and close it afterwards.
   *
   * @param excluded ranks of this communicator; not the calling one
   * @return the new communicator, with this one's configuration
   * @throws CommException INVALID_ARGUMENT for ranks that cannot be excluded; INVALID_USAGE when
   *     the ranks do not exclude the same ones, or this one has aborted; REMOTE_ERROR when another
   *     survivor fails meanwhile or has closed, which it names by its rank in this communicator;
   *     TIMEOUT when one does not come within {@code NITINOL_BOOTSTRAP_TIMEOUT}; otherwise as
   *     {@link #init(UniqueId, int, int, CommConfig)}. It can be called again
   */
  public Communicator shrink(int... excluded) {
    if (resources.isClosed()) {
      throw new CommException(ResultCode.INVALID_USAGE, "shrink: the communicator is closed");
    }
    return descendants.shrink(excluded);
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
   * Returns where each operation under way stands, what it waits for and what each connection has
   * done, in lines for people. Never waits. {@code NITINOL_DUMP_SIGNAL} has all communicators of a
   * process do this on a signal.
   */
  public String dump() {
    return StateDump.of(engine);
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
   * called by any thread at any moment, also while this rank splits or shrinks, and returns at
   * once; {@link #close} still has to follow, and buffers of operations that were not done may be
   * in use until then.
   */
  public void abort() {
    CommException told = SetupAbort.failure(rank, null);
    engine.failures().fail(told);
    descendants.abort(String.valueOf(told.getMessage()));
  }

  /**
   * Takes no further calls, waits until everything that was called is done, on this rank and on all
   * others; mirrors {@code ncclCommFinalize}. Every rank calls it. {@link #close} afterwards waits
   * for nobody.
   *
   * @throws CommException when the communicator fails, or has failed before
   */
  public void finish() {
    finished.set(true);
    while (!engine.drain(TimeUnit.SECONDS.toNanos(1))) {
      engine.check(); // ends with what the others do: the engine's own limit is on silence
    }
    engine.check();
    try {
      bootstrap.barrier(Tags.FINISH);
    } catch (BootstrapException e) {
      engine.failures().check();
      throw new CommException(e.result(), e.failedRank(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * As {@link #finish}, in the background; the communicator takes no further calls from now on.
   *
   * @return completed when it is done, or with the {@link CommException}
   */
  public CompletionStage<Void> finishAsync() {
    finished.set(true);
    CompletableFuture<Void> future = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name(config.label(rank) + "-finish")
        .start(() -> {
          try {
            finish();
            future.complete(null);
          } catch (Throwable e) {
            future.completeExceptionally(e);
          }
        });
    return future.minimalCompletionStage();
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
    resources.close(engine, calls);
  }
}
