// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.PairTransfers;
import io.nitinol.core.transport.collnet.NetworkReductions;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.Chooser;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Chooses how an operation is done, and gives it to the progress engine. */
final class EngineSubmitter implements Submitter {
  /** The way in which each rank writes what it contributes itself, multiplied by its own scalar. */
  private static final Choice LINES = new Choice(Algorithm.DIRECT, Protocol.LL, 1);

  private final Engine engine;
  private final Chooser chooser;
  private final int ranks;
  private final boolean readsOthers;
  private final NetworkReductions inNetwork;
  private final boolean profiled;

  /**
   * Creates a submitter.
   *
   * @param readsOthers whether ranks may read each other's buffers in collectives
   * @param inNetwork what a collective network can reduce, the same on all ranks
   * @param profiled whether a profiler is told what messages are
   */
  EngineSubmitter(
      Engine engine,
      Chooser chooser,
      int ranks,
      boolean readsOthers,
      NetworkReductions inNetwork,
      boolean profiled) {
    this.inNetwork = inNetwork;
    this.profiled = profiled;
    this.readsOthers = readsOthers;
    this.engine = engine;
    this.chooser = chooser;
    this.ranks = ranks;
  }

  @Override
  public long collective(
      Collective collective,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root,
      @Nullable Runnable completion) {
    long bytes = count * type.size();
    if (collective == Collective.ALL_GATHER || collective == Collective.REDUCE_SCATTER) {
      bytes *= ranks;
    }
    return engine.submit(
        collective,
        choice(
            collective,
            bytes,
            function != null && ReductionOp.ofCode(op) == null,
            function != null && inNetwork.reduces(type, op)),
        input,
        output,
        count,
        type,
        function == null ? Engine.NO_OPERATOR : op,
        function,
        root,
        completion);
  }

  /** Chooses; what goes wrong with that on this rank only ends the communicator for all. */
  private Choice choose(Collective collective, long bytes, boolean inNetwork) {
    try {
      return chooser.choose(collective, bytes, inNetwork);
    } catch (CommException e) {
      if (e.failedRank() >= 0) {
        engine.failures().fail(e);
      }
      throw e;
    }
  }

  /** A pre-multiplied sum has a scalar on each rank, which no other rank knows. */
  private Choice choice(
      Collective collective, long bytes, boolean preMultiplied, boolean inNetwork) {
    Choice choice = choose(collective, bytes, inNetwork);
    return preMultiplied
            && readsOthers
            && choice.algorithm() == Algorithm.DIRECT
            && choice.protocol() == Protocol.SIMPLE
        ? LINES
        : choice;
  }

  @Override
  public long transfers(TransferBatch batch) {
    PairTransfers transfers = new PairTransfers(ranks);
    for (TransferBatch.Piece piece : batch.pieces()) {
      MemorySegment buffer = piece.buffer();
      DataType type = profiled ? piece.type() : null;
      if (piece.sends()) {
        transfers.send(piece.peer(), buffer, buffer.byteSize(), type, piece.call());
      } else {
        transfers.receive(piece.peer(), buffer, buffer.byteSize(), type, piece.call());
      }
    }
    return engine.submit(transfers);
  }

  @Override
  public void check() {
    engine.check();
  }
}
