// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.core.team.HostWindows;
import io.nitinol.core.transport.collnet.NetworkReductions;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.Chooser;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how an operation is done, and gives it to the progress engine. Tests that record
 * operations extend it.
 */
@AnyThread
public class Submitter {
  /**
   * The choice by which each rank writes what it contributes itself, multiplied by its own scalar.
   */
  private static final Choice LINES = new Choice(Algorithm.DIRECT, Protocol.LL, 1);

  private final Engine engine;
  private final Chooser chooser;
  private final int ranks;
  private final boolean readsOthers;
  private final NetworkReductions inNetwork;
  private final boolean profiled;

  /** The buffers that all ranks see, or null. */
  private @Nullable HostWindows windows;

  /**
   * Creates a submitter.
   *
   * @param readsOthers whether ranks may read each other's buffers in collectives
   * @param inNetwork what a collective network can reduce, the same on all ranks
   * @param profiled whether a profiler wants to know the types of messages
   */
  public Submitter(
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

  /** Has operations work on buffers that all ranks see; before the first operation. */
  public void show(HostWindows buffers) {
    windows = buffers;
  }

  /**
   * Submits a collective.
   *
   * @param completion called once when it is done and before anybody can know, by any thread; must
   *     be short; or null
   * @return the operation's number
   */
  public long submit(CollectiveCall call, @Nullable Runnable completion) {
    return engine.submit(call, choice(call), completion);
  }

  /** Chooses; an error of that on this rank only ends the communicator for all. */
  private Choice choice(CollectiveCall call) {
    long bytes = call.bytes();
    if (call.collective() == Collective.ALL_GATHER
        || call.collective() == Collective.REDUCE_SCATTER) {
      bytes *= ranks;
    }
    boolean reduces = call.function() != null;
    Choice choice;
    try {
      choice =
          chooser.choose(
              call.collective(), bytes, reduces && inNetwork.reduces(call.type(), call.op()));
    } catch (CommException e) {
      if (e.failedRank() >= 0) {
        engine.failures().fail(e);
      }
      throw e;
    }
    HostWindows shown = windows;
    if (shown != null && shown.count() > 0 && call.op() != CollectiveCall.PRE_MUL_SUM) {
      return chooser.inPlace(choice, call.collective(), bytes);
    }
    // A pre-multiplied sum has a scalar on each rank, which no other rank knows.
    return call.op() == CollectiveCall.PRE_MUL_SUM
            && readsOthers
            && choice.algorithm() == Algorithm.DIRECT
            && choice.protocol() == Protocol.SIMPLE
        ? LINES
        : choice;
  }

  /** Submits sends and receives that belong together; returns the operation's number. */
  public long submit(TransferBatch batch) {
    return submit(transfers(batch));
  }

  /**
   * Submits sends and receives of {@link #transfers}. The same object may be submitted again once
   * its operation is done.
   */
  long submit(PairTransfers transfers) {
    return engine.submit(transfers);
  }

  /** Returns the sends and receives of a batch as the engine takes them. */
  PairTransfers transfers(TransferBatch batch) {
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
    return transfers;
  }

  /** Throws where nothing is taken any more. */
  public void check() {
    engine.check();
  }
}
