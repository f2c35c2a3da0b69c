// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.CollectiveCalls;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.core.call.Operator;
import io.nitinol.core.call.Scalar;
import io.nitinol.core.call.TransferCalls;
import io.nitinol.core.call.UnevenCalls;
import io.nitinol.core.launch.RankEnvironment;
import io.nitinol.core.launch.Rendezvous;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.setup.CommSetup;
import io.nitinol.core.setup.SplitAndShrink;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership in a group of ranks that run collectives together; mirrors {@code
 * ncclComm_t}. Every rank makes the same calls in the same order. Calls may come from any thread
 * and are taken one after the other, in the order in which they arrive.
 *
 * <p>A call returns once it is submitted; its {@link Work} tells when it is done. At most 256
 * operations of a communicator are under way: a further call waits, and does its part of the work,
 * until the oldest is done. One thread that calls for several ranks therefore calls each operation
 * for all of them before the next, or at least never runs 256 ahead.
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
@AnyThread
public final class Communicator implements AutoCloseable {
  /** The color of ranks that a {@link #split} leaves out; mirrors {@code NCCL_SPLIT_NOCOLOR}. */
  public static final int NO_COLOR = SplitAndShrink.NO_COLOR;

  private final CommConfig config;
  private final AssembledComm comm;
  private final Engine engine;
  private final CollectiveCalls collectives;
  private final TransferCalls transfers;
  private final UnevenCalls uneven;
  private final BlockingCalls blocking;

  Communicator(CommConfig config, AssembledComm comm) {
    this.config = config;
    this.comm = comm;
    this.engine = comm.engine();
    this.collectives = new CollectiveCalls(comm.calls());
    this.transfers = new TransferCalls(comm.calls());
    this.uneven = new UnevenCalls(comm.calls());
    this.blocking = new BlockingCalls(this, comm.calls().staging());
  }

  /**
   * Joins the group of all processes that a launcher has started together; see {@link
   * #fromEnvironment(CommConfig)}.
   */
  public static Communicator fromEnvironment() {
    return fromEnvironment(CommConfig.standard());
  }

  /**
   * Joins the group of all processes that a launcher has started together: {@code nitinol run},
   * Open MPI, MPICH, Slurm, torchrun, or an indexed Job of Kubernetes. The launcher's variables
   * tell which rank this process is; the ranks meet where {@code NCCL_COMM_ID} and the like say, or
   * by what the launcher offers ({@link Rendezvous}). Mirrors {@code MPI_Init}.
   *
   * <p>A process may call this once, or {@link #fromEnvironmentAsync}: no launcher carries an id
   * twice. Further communicators come of {@link #split}.
   *
   * @throws CommException INVALID_USAGE when no launcher has given this process a rank, nothing
   *     says where the ranks meet, or this is the second call; INVALID_ARGUMENT when a launcher's
   *     variables cannot be understood; otherwise as {@link #init(UniqueId, int, int, CommConfig)}
   */
  public static Communicator fromEnvironment(CommConfig config) {
    BufferCheck.given("fromEnvironment", "config", config);
    LaunchedRank launched = LaunchedRank.process();
    RankEnvironment here = launched.take();
    return launched.join(
        () -> init(launched.uniqueId(here, config), here.size(), here.rank(), config));
  }

  /**
   * As {@link #fromEnvironment(CommConfig)}, in the background; returns at once.
   *
   * @throws CommException as there, for a launcher's variables and a second call; the returned
   *     object reports all else
   */
  public static PendingCommunicator fromEnvironmentAsync(CommConfig config) {
    BufferCheck.given("fromEnvironment", "config", config);
    LaunchedRank launched = LaunchedRank.process();
    RankEnvironment here = launched.take();
    PendingCommunicator.Maker maker =
        maker(config, here.size(), here.rank(), () -> launched.uniqueId(here, config));
    return launched.join(
        () -> pending(config, here.rank(), abort -> launched.join(() -> maker.make(abort))));
  }

  /**
   * Joins a group of ranks whose framework can exchange texts: rank 0 makes the id, and {@code
   * allGather} carries it. Under Apache Spark, in a barrier stage, that is {@code
   * init(context::allGather, context.getTaskInfos().length, context.partitionId(), config)} with
   * its {@code BarrierTaskContext}.
   *
   * @param allGather gives every rank the texts of all ranks, in the order of ranks; called once,
   *     with an empty text on all ranks but 0. The text of rank 0 is a secret
   */
  public static Communicator init(
      Function<String, String[]> allGather, int nRanks, int rank, CommConfig config) {
    BufferCheck.given("init", "allGather", allGather);
    BufferCheck.given("init", "config", config);
    return init(LaunchedRank.exchanged(allGather, nRanks, rank, config), nRanks, rank, config);
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
    return new Communicator(config, CommSetup.init(id, nRanks, rank, config.forSetup()));
  }

  /**
   * Joins a group of ranks in the background; mirrors {@code ncclCommInitRankConfig} with {@code
   * blocking = 0}. Returns at once; the parameters are those of {@link #init(UniqueId, int, int,
   * CommConfig)}.
   *
   * @throws CommException SYSTEM_ERROR when the thread that does it cannot be started; the returned
   *     object reports all else
   */
  public static PendingCommunicator initAsync(
      UniqueId id, int nRanks, int rank, CommConfig config) {
    BufferCheck.given("init", "id", id);
    BufferCheck.given("init", "config", config);
    return pending(config, rank, maker(config, nRanks, rank, () -> id));
  }

  /**
   * As {@link #init(Function, int, int, CommConfig)}, in the background. This thread calls {@code
   * allGather}, which it waits for.
   *
   * @throws CommException as there, for what {@code allGather} returns; otherwise as {@link
   *     #initAsync(UniqueId, int, int, CommConfig)}
   */
  public static PendingCommunicator initAsync(
      Function<String, String[]> allGather, int nRanks, int rank, CommConfig config) {
    BufferCheck.given("init", "allGather", allGather);
    BufferCheck.given("init", "config", config);
    return initAsync(LaunchedRank.exchanged(allGather, nRanks, rank, config), nRanks, rank, config);
  }

  private static PendingCommunicator.Maker maker(
      CommConfig config, int nRanks, int rank, Supplier<UniqueId> id) {
    return abort ->
        new Communicator(config, CommSetup.init(id.get(), nRanks, rank, config.forSetup(), abort));
  }

  private static PendingCommunicator pending(
      CommConfig config, int rank, PendingCommunicator.Maker maker) {
    return PendingCommunicator.start(config.forSetup().label(rank) + "-init", rank, maker);
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
   * used by the same thread, after 30 s where no thread has used it yet).
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
    return comm.rank();
  }

  /** Returns how many ranks there are; mirrors {@code ncclCommCount}. */
  public int size() {
    return comm.size();
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
    return comm.description();
  }

  /** Returns the calls that take Java arrays and buffers, and wait until they are done. */
  public BlockingCalls blocking() {
    return blocking;
  }

  /**
   * Returns the calls that take Java objects, and wait until they are done.
   *
   * @param codec writes and reads the objects, the same on all ranks
   */
  public <T> ObjectCalls<T> objects(ObjectCodec<T> codec) {
    return new ObjectCalls<>(this, codec);
  }

  /** Returns collectives that are made once and started often. */
  public PersistentCalls persistent() {
    return new PersistentCalls(comm.calls());
  }

  /** Returns what it is made of, for a communicator on devices that stands on this one. */
  AssembledComm assembled() {
    return comm;
  }

  /** Returns the engine that does the work, to serve the ranks of one process together. */
  Engine engine() {
    return engine;
  }

  /**
   * Makes an operator for this communicator: the sum of all ranks' contributions, each multiplied
   * by its rank's scalar first; mirrors {@code ncclRedOpCreatePreMulSum}. Every rank makes one of
   * its own, with any scalar, and all use theirs in the same call. Local to this rank.
   *
   * @param type the type of the elements
   * @param scalar rounded to nearest where the type is a floating-point one; else it must be one of
   *     the type's numbers
   * @throws CommException INVALID_ARGUMENT when the type has no such number
   */
  public PreMulSum preMulSum(DataType type, double scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    return scaled(type, Scalar.of(type, scalar));
  }

  /**
   * As {@link #preMulSum(DataType, double)}, with an integer, which must be in the range of the
   * type where that is an integer one; for {@link DataType#UINT64} it is read as unsigned.
   */
  public PreMulSum preMulSum(DataType type, long scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    return scaled(type, Scalar.of(type, scalar));
  }

  /**
   * As {@link #preMulSum(DataType, double)}, with the element at the start of a segment of any
   * kind, which is read at once (NCCL's {@code ncclScalarHostImmediate}).
   */
  public PreMulSum preMulSum(DataType type, MemorySegment scalar) {
    BufferCheck.given("pre-multiplied sum", "type", type);
    BufferCheck.given("pre-multiplied sum", "scalar", scalar);
    return scaled(type, Scalar.of(type, scalar));
  }

  private PreMulSum scaled(DataType type, long bits) {
    return new PreMulSum(comm.calls().scaledSum(type, bits));
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
   */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    GroupCalls group = Group.current();
    return work(group, collectives.allReduce(group, send, recv, count, type, Operator.of(op)));
  }

  /** As the other all-reduce, with a pre-multiplied sum. */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, PreMulSum op) {
    GroupCalls group = Group.current();
    return work(group, collectives.allReduce(group, send, recv, count, type, PreMulSum.sum(op)));
  }

  /** As the other all-reduce, with an operator beyond NCCL's. */
  public Work allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, HostOperator op) {
    GroupCalls group = Group.current();
    return work(
        group, collectives.allReduce(group, send, recv, count, type, HostOperator.reduction(op)));
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into the {@code recv} buffer
   * of rank {@code root}; mirrors {@code ncclReduce}.
   *
   * @param send this rank's contribution
   * @param recv where the result goes, on the root; at the very address of {@code send} for in
   *     place, or else not overlapping it. Not looked at on other ranks
   */
  public Work reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      ReductionOp op,
      int root) {
    GroupCalls group = Group.current();
    return work(group, collectives.reduce(group, send, recv, count, type, Operator.of(op), root));
  }

  /** As the other reduction to one rank, with a pre-multiplied sum. */
  public Work reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      PreMulSum op,
      int root) {
    GroupCalls group = Group.current();
    return work(group, collectives.reduce(group, send, recv, count, type, PreMulSum.sum(op), root));
  }

  /** As the other reduction to one rank, with an operator beyond NCCL's. */
  public Work reduce(
      MemorySegment send,
      @Nullable MemorySegment recv,
      long count,
      DataType type,
      HostOperator op,
      int root) {
    GroupCalls group = Group.current();
    return work(
        group,
        collectives.reduce(group, send, recv, count, type, HostOperator.reduction(op), root));
  }

  /**
   * Copies {@code count} elements of the {@code send} buffer of rank {@code root} into every rank's
   * {@code recv} buffer; mirrors {@code ncclBroadcast}. Where two ranks each name themselves as the
   * root both may be done, since a root waits for no other rank: the next collective that they do
   * together fails with INVALID_USAGE then.
   *
   * @param send the data, on the root; not looked at on other ranks
   * @param recv where it goes; on the root at the very address of {@code send} for in place, or
   *     else not overlapping it
   */
  public Work broadcast(
      @Nullable MemorySegment send, MemorySegment recv, long count, DataType type, int root) {
    GroupCalls group = Group.current();
    return work(group, collectives.broadcast(group, send, recv, count, type, root));
  }

  /**
   * Gives every rank the data of every rank, in the order of ranks; mirrors {@code ncclAllGather}.
   *
   * @param send this rank's {@code sendCount} elements
   * @param recv {@code size} times {@code sendCount} elements; in place where {@code send} is this
   *     rank's part of it, or else not overlapping it
   */
  public Work allGather(MemorySegment send, MemorySegment recv, long sendCount, DataType type) {
    GroupCalls group = Group.current();
    return work(group, collectives.allGather(group, send, recv, sendCount, type));
  }

  /**
   * Reduces the data of all ranks and gives each rank its part of the result; mirrors {@code
   * ncclReduceScatter}.
   *
   * @param send {@code size} times {@code recvCount} elements
   * @param recv {@code recvCount} elements of the result, from element {@code rank} times {@code
   *     recvCount} on; in place where that is their place in {@code send}, or else not overlapping
   */
  public Work reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, ReductionOp op) {
    GroupCalls group = Group.current();
    return work(
        group, collectives.reduceScatter(group, send, recv, recvCount, type, Operator.of(op)));
  }

  /** As the other reduce-scatter, with a pre-multiplied sum. */
  public Work reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, PreMulSum op) {
    GroupCalls group = Group.current();
    return work(
        group, collectives.reduceScatter(group, send, recv, recvCount, type, PreMulSum.sum(op)));
  }

  /** As the other reduce-scatter, with an operator beyond NCCL's. */
  public Work reduceScatter(
      MemorySegment send, MemorySegment recv, long recvCount, DataType type, HostOperator op) {
    GroupCalls group = Group.current();
    return work(
        group,
        collectives.reduceScatter(group, send, recv, recvCount, type, HostOperator.reduction(op)));
  }

  /**
   * Sends {@code countPerPeer} elements to every rank and receives as many from each; mirrors
   * {@code ncclAlltoAll}. Part {@code i} of {@code send} goes to rank {@code i}, whose part ends as
   * part {@code i} of {@code recv}. There is no in place: the buffers must not overlap.
   */
  public Work allToAll(MemorySegment send, MemorySegment recv, long countPerPeer, DataType type) {
    GroupCalls group = Group.current();
    return work(group, transfers.allToAll(group, send, recv, countPerPeer, type));
  }

  /**
   * Sends and receives different numbers of elements, of every rank; {@code MPI_Alltoallv}. The
   * arrays have one entry for each rank and are read at once. What a rank sends to another must be
   * what that one expects of it.
   *
   * @param sendCounts how many elements go to each rank
   * @param sendOffsets where they begin in {@code send}, in elements
   * @param recvCounts how many elements come from each rank
   * @param recvOffsets where they go in {@code recv}, in elements; no two parts may overlap, nor
   *     any with what is sent
   */
  public Work allToAllV(
      MemorySegment send,
      long[] sendCounts,
      long[] sendOffsets,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    GroupCalls group = Group.current();
    return work(
        group,
        uneven.allToAllV(
            group, send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets, type));
  }

  /**
   * Brings {@code sendCount} elements of every rank to rank {@code root}, in the order of ranks;
   * mirrors {@code ncclGather}.
   *
   * @param recv on the root, {@code size} times {@code sendCount} elements; in place where {@code
   *     send} is its own part of it. Not looked at on other ranks
   */
  public Work gather(
      MemorySegment send, @Nullable MemorySegment recv, long sendCount, DataType type, int root) {
    GroupCalls group = Group.current();
    return work(group, transfers.gather(group, send, recv, sendCount, type, root));
  }

  /**
   * Brings part {@code i} of the {@code send} buffer of rank {@code root} to rank {@code i};
   * mirrors {@code ncclScatter}.
   *
   * @param send on the root, {@code size} times {@code recvCount} elements. Not looked at on other
   *     ranks
   * @param recv {@code recvCount} elements; in place where it is the root's own part of {@code
   *     send}
   */
  public Work scatter(
      @Nullable MemorySegment send, MemorySegment recv, long recvCount, DataType type, int root) {
    GroupCalls group = Group.current();
    return work(group, transfers.scatter(group, send, recv, recvCount, type, root));
  }

  /**
   * Waits until every rank has called it; {@code MPI_Barrier}. It is done on a rank only when all
   * ranks have submitted theirs, but not the operations that they submitted before: a rank that
   * wants these to be done waits for them first.
   */
  public Work barrier() {
    GroupCalls group = Group.current();
    return work(group, collectives.barrier(group));
  }

  /**
   * Gives every rank the data of every rank, whose numbers of elements may differ; {@code
   * MPI_Allgatherv}. The arrays have one entry for each rank, the same on all, and are read at
   * once. Each rank sends its part to every other one itself.
   *
   * @param send this rank's {@code sendCount} elements
   * @param sendCount as many as {@code recvCounts} says of this rank
   * @param recv in place where {@code send} is this rank's part of it, or else not overlapping it
   * @param recvCounts how many elements come from each rank
   * @param recvOffsets where they go in {@code recv}, in elements; no two parts may overlap
   */
  public Work allGatherV(
      MemorySegment send,
      long sendCount,
      MemorySegment recv,
      long[] recvCounts,
      long[] recvOffsets,
      DataType type) {
    GroupCalls group = Group.current();
    return work(
        group, uneven.allGatherV(group, send, sendCount, recv, recvCounts, recvOffsets, type));
  }

  /**
   * Brings the data of every rank, whose numbers of elements may differ, to rank {@code root};
   * {@code MPI_Gatherv}.
   *
   * @param recv on the root, as in {@link #allGatherV}, and like the two arrays not looked at on
   *     other ranks
   */
  public Work gatherV(
      MemorySegment send,
      long sendCount,
      @Nullable MemorySegment recv,
      long @Nullable [] recvCounts,
      long @Nullable [] recvOffsets,
      DataType type,
      int root) {
    GroupCalls group = Group.current();
    return work(
        group, uneven.gatherV(group, send, sendCount, recv, recvCounts, recvOffsets, type, root));
  }

  /**
   * Brings a part of the {@code send} buffer of rank {@code root} to every rank, each of its own
   * number of elements; {@code MPI_Scatterv}.
   *
   * @param send on the root, and like the two arrays not looked at on other ranks
   * @param sendCounts how many elements go to each rank
   * @param sendOffsets where they begin in {@code send}, in elements
   * @param recv {@code recvCount} elements; in place where it is the root's own part of {@code
   *     send}
   * @param recvCount as many as the root's {@code sendCounts} says of this rank
   */
  public Work scatterV(
      @Nullable MemorySegment send,
      long @Nullable [] sendCounts,
      long @Nullable [] sendOffsets,
      MemorySegment recv,
      long recvCount,
      DataType type,
      int root) {
    GroupCalls group = Group.current();
    return work(
        group, uneven.scatterV(group, send, sendCounts, sendOffsets, recv, recvCount, type, root));
  }

  /**
   * Sends to one rank, which receives the same number of elements; mirrors {@code ncclSend}. It is
   * done when the buffer may be written again, which may be not before the other rank receives:
   * ranks that send and receive call both in one {@link Group}. Messages between two ranks are
   * received in the order in which they are sent. To itself a rank can send within a group only.
   *
   * @param peer the rank to send to
   */
  public Work send(MemorySegment buffer, long count, DataType type, int peer) {
    GroupCalls group = Group.current();
    return work(group, transfers.send(group, buffer, count, type, peer));
  }

  /**
   * Receives from one rank, which sends the same number of elements; mirrors {@code ncclRecv}.
   *
   * @param peer the rank to receive from
   */
  public Work recv(MemorySegment buffer, long count, DataType type, int peer) {
    GroupCalls group = Group.current();
    return work(group, transfers.recv(group, buffer, count, type, peer));
  }

  private Work work(@Nullable GroupCalls group, long number) {
    return Work.of(engine, group, number);
  }

  /**
   * Makes communicators out of the ranks of this one; mirrors {@code ncclCommSplit}. Every rank
   * calls it; those that give the same color become one communicator, in the order of their keys
   * and, where these are equal, of their ranks here. Both communicators can be used side by side,
   * and each is closed on its own. Waits for all ranks, so a thread that drives several ranks
   * starts a thread for each here; calls of one communicator one after the other.
   *
   * @param color 0 or more, or {@link #NO_COLOR} to be in none
   * @param key decides the order
   * @return the new communicator, with this one's configuration; null for {@link #NO_COLOR}
   * @throws CommException INVALID_ARGUMENT for another color; otherwise as {@link #init(UniqueId,
   *     int, int, CommConfig)}, or when this communicator has failed. It leaves this communicator
   *     as it was, unless that has failed itself
   */
  public @Nullable Communicator split(int color, int key) {
    comm.calls().checkOpen("split");
    AssembledComm made = comm.splitAndShrink().split(color, key);
    return made == null ? null : new Communicator(config, made);
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
    return new Communicator(config, comm.shrink(excluded));
  }

  /**
   * Makes a larger communicator out of the ranks of this one and of new ones; mirrors {@code
   * ncclCommGrow}. All ranks of this one call it, and keep their numbers. A new one calls {@link
   * #init(UniqueId, int, int, CommConfig)} with the id that it is given, the same {@code nRanks}
   * and a number from {@link #size} up. After a failure {@link #shrink} comes first. This
   * communicator stays as it is; each is closed on its own.
   *
   * @param nRanks how many ranks there will be
   * @param invite gives the id to the new ranks in a way that keeps it secret; called on rank 0,
   *     while the other ranks wait for it, {@code NITINOL_BOOTSTRAP_TIMEOUT} at most: it is to
   *     publish the id and return, and not to wait for the new ranks
   * @return the new communicator, with this one's configuration
   * @throws CommException INVALID_ARGUMENT on all ranks where there would not be more of them; what
   *     {@code invite} throws is an INVALID_USAGE of all ranks, which names it; otherwise as {@link
   *     #init(UniqueId, int, int, CommConfig)}
   */
  public Communicator grow(int nRanks, Consumer<UniqueId> invite) {
    comm.calls().checkOpen("grow");
    BufferCheck.given("grow", "invite", invite);
    if (nRanks <= size()) {
      throw BufferCheck.invalid(
          "grow", "nRanks", Integer.toString(nRanks), "more than the " + size() + " there are");
    }
    UniqueId id =
        Invitation.exchange(
            rank(), () -> comm.childId(config.settings()), mine -> exchange(mine)[0], invite);
    return new Communicator(config, comm.grow(id, nRanks));
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
    return comm.exchange(mine);
  }

  /**
   * Allocates a buffer for operations of this communicator; mirrors {@code ncclMemAlloc} together
   * with {@code ncclCommRegister}. Where all ranks are processes of one host that may share memory,
   * each sees the buffers of all, and an operation whose buffers on all ranks lie in such memory
   * works on them in place: it reads and writes every byte once, instead of over slots. Elsewhere,
   * and for operations that mix such buffers with others, it is memory like any other.
   *
   * <p>Every rank calls it, at the same place among its operations; it returns when all have. The
   * ranks may allocate different sizes. The memory counts against that of {@code NITINOL_SHM_DIR}
   * then, by default {@code /dev/shm}, and every rank maps that of all.
   *
   * @param bytes how much, more than 0
   * @return zeroes, on a page of its own; freed when the communicator is closed
   * @throws CommException SYSTEM_ERROR when there is no room on some rank, which the message names,
   *     on all ranks; the communicator goes on. Another code when it has failed
   */
  public MemorySegment allocate(long bytes) {
    return comm.allocate(bytes);
  }

  /**
   * Returns where each operation under way stands, what it waits for and what each connection has
   * done, in human-readable lines. Never waits. {@code NITINOL_DUMP_SIGNAL} has all communicators
   * of a process do this on a signal.
   */
  public String dump() {
    return comm.dump();
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
    comm.abort();
  }

  /**
   * Takes no further calls, waits until everything that was called is done, on this rank and on all
   * others; mirrors {@code ncclCommFinalize}. Every rank calls it. {@link #close} afterwards waits
   * for no other rank.
   *
   * <p>A rank that has not called it may be calculating. It is waited for as long as {@code
   * NITINOL_TIMEOUT} says, or {@code NITINOL_BOOTSTRAP_TIMEOUT} if that is longer; for ever where
   * the first is 0.
   *
   * @throws CommException when the communicator fails, or has failed before; TIMEOUT when a rank
   *     has not come in time
   */
  public void finish() {
    comm.finish();
  }

  /**
   * As {@link #finish}, in the background; the communicator takes no further calls from now on.
   *
   * @return completed when it is done, or with the {@link CommException}
   */
  public CompletionStage<Void> finishAsync() {
    comm.calls().end();
    CompletableFuture<Void> future = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name(config.forSetup().label(comm.rank()) + "-finish")
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
   * way get some time to end, then they are given up, and a thread that waits for one gets an
   * exception. Once it has returned no buffer is in use any more, but by a thread that is in {@link
   * #allocate}, which frees what it has got. Closing again does nothing, but a thread that does so
   * while another is closing waits for that one, and gets its exception. A {@link HostOperator}
   * must not close.
   *
   * @throws CommException SYSTEM_ERROR when a thread could not be stopped, which the message names:
   *     buffers of operations that were not done must then never be freed, because it may still
   *     write to them; also when connections could not be closed or the other ranks not be
   *     notified. The communicator is closed all the same
   */
  @Override
  public void close() {
    comm.close();
  }
}
