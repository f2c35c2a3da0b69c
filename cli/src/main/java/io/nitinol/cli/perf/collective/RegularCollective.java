// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import static io.nitinol.cli.perf.collective.RegularCollective.Length.ALL_BLOCKS;
import static io.nitinol.cli.perf.collective.RegularCollective.Length.BLOCK;
import static io.nitinol.cli.perf.collective.RegularCollective.Length.WHOLE;
import static io.nitinol.cli.perf.collective.RegularCollective.Trait.OUT_OF_PLACE;
import static io.nitinol.cli.perf.collective.RegularCollective.Trait.REDUCES;
import static io.nitinol.cli.perf.collective.RegularCollective.Trait.ROOT_RECEIVES;
import static io.nitinol.cli.perf.collective.RegularCollective.Trait.ROOT_SENDS;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** The collectives in which every rank's blocks have the same length. */
@SuppressWarnings(
    "ImmutableEnumChecker") // its fields are sets that are never changed and functions without
// state
enum RegularCollective implements PerfCollective {
  /** Every rank ends with the reduction of all ranks' buffers. */
  ALL_REDUCE(
      "all_reduce",
      WHOLE,
      WHOLE,
      Set.of(REDUCES),
      (job, rank) -> Blocks.one(job, Piece.REDUCTION, 0),
      (session, job, send, recv) ->
          session.allReduce(send, recv, job.count(), job.type(), job.op())) {
    @Override
    public double busFactor(int ranks) {
      return 2.0 * (ranks - 1) / ranks;
    }
  },

  /**
   * Every rank ends with all ranks' buffers, one behind the other. The size is that of the result.
   */
  ALL_GATHER(
      "all_gather",
      BLOCK,
      ALL_BLOCKS,
      Set.of(),
      (job, rank) -> Blocks.ofAllRanks(job, 0),
      (session, job, send, recv) -> session.allGather(send, recv, job.count(), job.type())),

  /**
   * Each rank ends with its block of the reduction of all ranks' buffers. The size is that of a
   * contribution.
   */
  REDUCE_SCATTER(
      "reduce_scatter",
      ALL_BLOCKS,
      BLOCK,
      Set.of(REDUCES),
      (job, rank) -> Blocks.one(job, Piece.REDUCTION, rank * job.count()),
      (session, job, send, recv) ->
          session.reduceScatter(send, recv, job.count(), job.type(), job.op())),

  /** Every rank ends with the root's buffer. */
  BROADCAST(
      "broadcast",
      WHOLE,
      WHOLE,
      Set.of(ROOT_SENDS),
      (job, rank) -> Blocks.one(job, job.root(), 0),
      (session, job, send, recv) ->
          session.broadcast(send, recv, job.count(), job.type(), job.root())),

  /** The root ends with the reduction of all ranks' buffers. */
  REDUCE(
      "reduce",
      WHOLE,
      WHOLE,
      Set.of(REDUCES, ROOT_RECEIVES),
      (job, rank) -> Blocks.one(job, Piece.REDUCTION, 0),
      (session, job, send, recv) ->
          session.reduce(send, recv, job.count(), job.type(), job.op(), job.root())),

  /**
   * Each rank ends with its block of every rank's buffer. The size is that of a rank's whole
   * buffer.
   */
  ALL_TO_ALL(
      "alltoall",
      ALL_BLOCKS,
      ALL_BLOCKS,
      Set.of(OUT_OF_PLACE),
      (job, rank) -> Blocks.ofAllRanks(job, rank * job.count()),
      (session, job, send, recv) -> session.allToAll(send, recv, job.count(), job.type())),

  /**
   * The root ends with all ranks' buffers, one behind the other. The size is that of the result.
   */
  GATHER(
      "gather",
      BLOCK,
      ALL_BLOCKS,
      Set.of(ROOT_RECEIVES),
      (job, rank) -> Blocks.ofAllRanks(job, 0),
      (session, job, send, recv) ->
          session.gather(send, recv, job.count(), job.type(), job.root())),

  /** Each rank ends with its block of the root's buffer. The size is that of the root's buffer. */
  SCATTER(
      "scatter",
      ALL_BLOCKS,
      BLOCK,
      Set.of(ROOT_SENDS),
      (job, rank) -> Blocks.one(job, job.root(), rank * job.count()),
      (session, job, send, recv) ->
          session.scatter(send, recv, job.count(), job.type(), job.root())),

  /** Each rank sends to the next one and receives from the one before, in one group. */
  SEND_RECV(
      "sendrecv",
      WHOLE,
      WHOLE,
      Set.of(OUT_OF_PLACE),
      (job, rank) -> Blocks.one(job, Math.floorMod(rank - 1, job.ranks()), 0),
      (session, job, send, recv) -> {
        int ranks = job.ranks();
        session.groupStart();
        session.send(send, job.count(), job.type(), (session.rank() + 1) % ranks);
        session.recv(recv, job.count(), job.type(), Math.floorMod(session.rank() - 1, ranks));
        session.groupEnd();
      });

  /** How long a buffer is, and what the size that was asked for is divided into. */
  enum Length {
    /** As long as the size; nothing is divided. */
    WHOLE,
    /** One rank's block of the size. */
    BLOCK,
    /** The blocks of all ranks. */
    ALL_BLOCKS
  }

  /** In what a collective differs from one without operator and root that also works in place. */
  enum Trait {
    /** Elements are combined. */
    REDUCES,
    /** Only the root contributes. */
    ROOT_SENDS,
    /** Only the root gets a result. */
    ROOT_RECEIVES,
    /** The buffers may not overlap. */
    OUT_OF_PLACE
  }

  /** What a rank that gets a result is to have in its receive buffer. */
  private interface Result {
    List<Piece> of(PerfJob job, int rank);
  }

  /** The call of the session that starts the collective. */
  private interface Start {
    void run(PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv);
  }

  private final String label;
  private final Length send;
  private final Length recv;
  private final Set<Trait> traits;
  private final Result result;
  private final Start start;

  RegularCollective(
      String label, Length send, Length recv, Set<Trait> traits, Result result, Start start) {
    this.label = label;
    this.send = send;
    this.recv = recv;
    this.traits = traits;
    this.result = result;
    this.start = start;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public boolean reduces() {
    return traits.contains(REDUCES);
  }

  @Override
  public boolean hasRoot() {
    return traits.contains(ROOT_SENDS) || traits.contains(ROOT_RECEIVES);
  }

  @Override
  public boolean hasInPlace() {
    return !traits.contains(OUT_OF_PLACE);
  }

  @Override
  public double busFactor(int ranks) {
    return send == WHOLE ? 1 : Blocks.busFactor(ranks);
  }

  @Override
  public long count(long elements, DataType type, int ranks) {
    return send == WHOLE ? elements : Blocks.length(elements, type, ranks);
  }

  @Override
  public long sendLength(PerfJob job) {
    return length(send, job);
  }

  @Override
  public long recvLength(PerfJob job) {
    return length(recv, job);
  }

  private static long length(Length length, PerfJob job) {
    return length == ALL_BLOCKS ? job.count() * job.ranks() : job.count();
  }

  @Override
  public long sendOffset(PerfJob job, int rank) {
    return send == BLOCK ? rank * job.count() : 0;
  }

  @Override
  public long recvOffset(PerfJob job, int rank) {
    return recv == BLOCK ? rank * job.count() : 0;
  }

  @Override
  public List<Piece> contribution(PerfJob job, int rank) {
    return traits.contains(ROOT_SENDS) && rank != job.root()
        ? List.of()
        : List.of(new Piece(0, sendLength(job), rank, 0));
  }

  @Override
  public List<Piece> result(PerfJob job, int rank) {
    return traits.contains(ROOT_RECEIVES) && rank != job.root() ? List.of() : result.of(job, rank);
  }

  @Override
  public Runnable operation(
      PerfSession session, PerfJob job, MemorySegment send, MemorySegment recv) {
    return () -> start.run(session, job, send, recv);
  }
}
