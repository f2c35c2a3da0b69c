// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Puts the chunks of an operation into the caller's stream, each on its way to the network and, up
 * to {@value #DEPTH} chunks later, on its way back. Chunks use the slots in turn; a slot is filled
 * again behind the work that empties it.
 *
 * <p>All of it is in one stream, and the waits are behind the work that they wait for: a driver
 * that has fewer queues than streams would else let that work stand behind its own wait.
 */
@OneThread
final class Crossing {
  /**
   * How many chunks are on their way at once: one that is copied out, two with the network, one
   * that is copied in.
   */
  static final int DEPTH = 4;

  /** What an operation does with a chunk. */
  interface Steps {
    /** Puts the work into the stream that fills the slot of {@code number}. */
    void out(DeviceStream stream, long chunk, long number);

    /** Puts the work into the stream that empties the slot of {@code number}. */
    void in(DeviceStream stream, long chunk, long number);
  }

  private final OperationQueue queue;
  private final BridgeFlags flags;
  private final BridgeThread thread;
  private final BridgeFailure failure;

  /** The number of the last chunk of all operations so far. */
  private long last;

  /** The last chunk that a stream waits for. The streams of the operations are in order. */
  private long awaited;

  Crossing(OperationQueue queue, BridgeFlags flags, BridgeThread thread, BridgeFailure failure) {
    this.queue = queue;
    this.flags = flags;
    this.thread = thread;
    this.failure = failure;
  }

  /**
   * Announces a collective to the bridge thread, and puts its chunks into the stream.
   *
   * @param root the root's number in the rail; 0 where there is none
   * @param direct whether the rail's ranks exchange their slots, which the steps then combine
   */
  void collective(
      DeviceStream stream,
      Steps steps,
      Collective collective,
      BridgeChunks chunks,
      DataType type,
      ReductionOp op,
      int root,
      boolean direct) {
    HostOperation operation = queue.free();
    operation.collective = collective;
    operation.full = chunks.full();
    operation.share = chunks.fullShare();
    operation.lastShare = chunks.lastShare();
    operation.type = type;
    operation.op = op;
    operation.root = root;
    operation.direct = direct;
    operation.transfers = null;
    operation.railTransfers = null;
    cross(stream, steps, operation, chunks.count());
  }

  /**
   * Announces sends and receives, and puts their only chunk into the stream, which uses no slot.
   *
   * @param transfers those of the host communicator, or null
   * @param own those of the rail's own connections, or null
   */
  void transfers(
      DeviceStream stream,
      Steps steps,
      @Nullable PairTransfers transfers,
      @Nullable RailTransfers own) {
    HostOperation operation = queue.free();
    operation.collective = Collective.SEND_RECV;
    operation.direct = false;
    operation.transfers = transfers;
    operation.railTransfers = own;
    cross(stream, steps, operation, 1);
  }

  private void cross(DeviceStream stream, Steps steps, HostOperation operation, long chunks) {
    long first = last + 1;
    operation.first = first;
    operation.chunks = chunks;
    last += chunks;
    boolean slots = operation.collective != Collective.SEND_RECV;
    queue.put();
    VarHandle.fullFence(); // between the queue and the look whether the thread sleeps
    thread.wake();
    try {
      if (!slots) {
        steps.out(stream, 0, first);
        steps.in(stream, 0, first);
        return;
      }
      for (long k = 0; k < Math.min(chunks, DEPTH); k++) {
        reuse(stream, first + k);
        steps.out(stream, k, first + k);
      }
      for (long k = 0; k < chunks; k++) {
        steps.in(stream, k, first + k);
        if (k + DEPTH < chunks) {
          reuse(stream, first + k + DEPTH);
          steps.out(stream, k + DEPTH, first + k + DEPTH);
        }
      }
    } catch (RuntimeException | Error e) {
      // The other ranks have the whole operation, so this one cannot take it back.
      failure.fail(e, "putting an operation into its stream");
      thread.wake();
      throw e;
    }
  }

  /** Tells the bridge thread, by the stream, that a slot is full. */
  void ready(DeviceStream stream, long number) {
    stream.writeValue(flags.readyAddress(), number);
  }

  /** Tells the bridge thread, by the stream, how many pieces of sends are in pinned memory. */
  void staged(DeviceStream stream, long pieces) {
    stream.writeValue(flags.stagedAddress(), pieces);
  }

  /** Lets the stream wait until so many pieces of receives are in pinned memory. */
  void awaitPieces(DeviceStream stream, long pieces) {
    stream.waitValue(flags.comeAddress(), pieces);
  }

  /**
   * Returns whether a stream waits for a chunk already, so that what follows may use its memory.
   */
  boolean isAwaited(long number) {
    return number <= awaited;
  }

  /** Lets the stream wait until the slot of a chunk is free, which the steps need not do. */
  private void reuse(DeviceStream stream, long number) {
    if (number > DEPTH) {
      await(stream, number - DEPTH);
    }
  }

  /**
   * Lets the stream wait until the network is done with a slot. What only sends need not wait: the
   * rank may be some chunks ahead of the network, also at the end of an operation.
   */
  void await(DeviceStream stream, long number) {
    if (number > awaited) {
      stream.waitValue(flags.doneAddress(), number);
      awaited = number;
    }
  }
}
