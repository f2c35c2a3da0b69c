// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.call.CollectiveCalls;
import io.nitinol.core.call.Operator;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The host communicators of a bridged team: the rail of this rank for collectives, and one of all
 * ranks for sends and receives, which is the same where there is one rail. They are made for this,
 * so that calls of the application never get between theirs.
 */
final class HostSide implements AutoCloseable {
  private final AssembledComm parent;
  private final AssembledComm rail;
  private final AssembledComm all;
  private final CollectiveCalls calls;

  private HostSide(AssembledComm parent, AssembledComm rail, AssembledComm all) {
    this.parent = parent;
    this.rail = rail;
    this.all = all;
    this.calls = new CollectiveCalls(rail.calls());
  }

  /**
   * Makes them; every rank calls this.
   *
   * @throws CommException where they cannot be made; nothing is left then
   */
  static HostSide split(AssembledComm parent, Grid grid) {
    AssembledComm all = part(parent, 0, parent.rank());
    if (grid.columns() == 1) {
      return new HostSide(parent, all, all);
    }
    boolean complete = false;
    try {
      AssembledComm rail = part(parent, grid.column(), grid.row());
      complete = true;
      return new HostSide(parent, rail, all);
    } finally {
      if (!complete) {
        all.close();
      }
    }
  }

  private static AssembledComm part(AssembledComm parent, int color, int key) {
    return Objects.requireNonNull(
        parent.splitAndShrink().split(color, key), "a split of a color has a part");
  }

  /** Returns the communicator of this rank's rail. */
  AssembledComm rail() {
    return rail;
  }

  /** Returns what does an operation. */
  Engine engine(HostOperation operation) {
    return operation.transfers == null ? rail.engine() : all.engine();
  }

  /**
   * Submits one chunk.
   *
   * @param chunk its number within the operation
   * @param out the half of its slot that is read, and written where the result has the same size
   * @param in the half that is written else
   * @return its number in the {@link #engine}
   */
  long submit(HostOperation operation, long chunk, MemorySegment out, MemorySegment in) {
    long n = operation.count(chunk);
    HostOperation o = operation;
    return switch (o.collective) {
      case ALL_REDUCE -> calls.allReduce(null, out, out, n, o.type, Operator.of(o.op));
      case REDUCE -> calls.reduce(null, out, out, n, o.type, Operator.of(o.op), o.root);
      case BROADCAST -> calls.broadcast(null, out, out, n, o.type, o.root);
      case ALL_GATHER -> calls.allGather(null, out, in, n, o.type);
      case REDUCE_SCATTER -> calls.reduceScatter(null, out, in, n, o.type, Operator.of(o.op));
      case SEND, RECV, SEND_RECV, ALL_TO_ALL, GATHER, SCATTER ->
          all.engine().submit(Objects.requireNonNull(o.transfers, "transfers"));
    };
  }

  /** Returns why these communicators, or the one that they were made of, have failed; or null. */
  @Nullable CommException failure() {
    CommException known = parent.asyncError();
    if (known == null) {
      known = all.asyncError(); // before the rail, which may fail for this one
    }
    return known == null ? rail.asyncError() : known;
  }

  /**
   * Fails these communicators on all ranks, whose bridge threads hear of it by that, unless they
   * hear of it by the parent.
   */
  void fail(String reason) {
    CommException cause = new CommException(ResultCode.REMOTE_ERROR, reason);
    if (parent.asyncError() == null) {
      all.engine().failures().fail(cause);
    }
    rail.engine().failures().fail(cause); // at the latest now, so that its close need not drain
  }

  /**
   * Leaves the communicators.
   *
   * @throws CommException where a thread is stuck in one, which may still write into slots
   */
  @Override
  public void close() {
    try {
      if (!rail.equals(all)) {
        rail.close();
      }
    } finally {
      all.close();
    }
  }
}
