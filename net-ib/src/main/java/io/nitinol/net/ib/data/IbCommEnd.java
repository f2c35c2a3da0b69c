// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.memory.IbCommMemory;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.net.ib.memory.RegisteringComm;
import io.nitinol.net.ib.verbs.CompletionQueue;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.net.ib.verbs.WorkCompletions;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The common part of both ends of a comm: it takes completions to their requests, notices the end
 * of the peer, and keeps the first failure, which every later call repeats.
 */
@OneThread
public abstract class IbCommEnd implements RegisteringComm, Failover.End {
  /** How many completions are taken at once. */
  private static final int BATCH = 16;

  /**
   * How many polls find nothing before the clock is read, which costs as much as a poll, at most:
   * as many for a caller that does nothing else, fewer for one that comes seldom.
   */
  private static final int MOST_POLLS_PER_LOOK = 64;

  /** How often an idle comm looks whether the peer is still there. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long completions may come once the peer is gone: what the card had done before. */
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  final IbConnection connection;
  Stripes stripes;
  IbLane[] lanes;

  private final Failover failover;
  private final CompletionQueue[] queues;
  private final WorkCompletions completions;
  private final IbCommMemory memory;

  private @Nullable NetException failure;
  private @Nullable NetException flushed;
  private long flushedAt;
  private boolean closed;
  private int generation;
  private int returned;
  private int idlePolls;
  private int pollsPerLook = 1;
  private long lastLook;
  private @Nullable String gone;

  /**
   * Takes a connection over whose queue pairs can send and receive.
   *
   * @param survival what to do when a port fails
   */
  IbCommEnd(IbConnection connection, FailoverPolicy survival) {
    this.connection = connection;
    this.stripes = connection.stripes();
    this.lanes = connection.lanes();
    this.generation = connection.generation();
    this.failover = new Failover(connection, this, survival);
    this.queues = connection.queues();
    this.completions = new WorkCompletions(connection.arena(), BATCH);
    this.memory = new IbCommMemory(device(), device().caches(), device().properties().ptrSupport());
    this.lastLook = System.nanoTime();
  }

  /** {@return the device of this side} */
  public final IbDevice device() {
    return connection.device();
  }

  @Override
  public final IbCommMemory memory() {
    checkOpen();
    return memory;
  }

  /** Handles the completion of a request. */
  abstract void completed(WorkCompletions of, int index, long id);

  /** Posts what has waited for room. */
  abstract void push();

  /** Returns how many receives are posted on queue pairs, whose completions have not come. */
  abstract int postedReceives();

  /** Describes what the comm was doing, for the message of a failure. */
  abstract String occupation();

  /** Takes completions, posts what there is room for, and keeps the failure, if any. */
  final void progress() {
    if (failure != null) {
      return;
    }
    try {
      String event = connection.fatalEvent();
      if (event != null) {
        throw new NetException(
            ResultCode.SYSTEM_ERROR, connection.label() + ": " + event + ", " + occupation());
      }
      if (failover.isUnderWay()) {
        failover.step();
        return;
      }
      boolean moved = drain();
      if (failover.isDue()) {
        failover.begin();
        failover.step();
        return;
      }
      if (flushed != null) {
        awaitReason(flushed);
        return;
      }
      push();
      if (moved) {
        idlePolls = 0;
      } else if (++idlePolls >= pollsPerLook || gone != null) {
        idlePolls = 0;
        lookForPeer();
      }
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** Dispatches all completions that are there; throws for the first that failed, behind them. */
  private boolean drain() {
    NetException first = null;
    boolean any = false;
    for (CompletionQueue queue : queues) {
      int count;
      do {
        count = queue.poll(completions);
        any |= count > 0;
        for (int i = 0; i < count; i++) {
          first = first(first, dispatch(i));
        }
      } while (count == BATCH);
    }
    if (first != null) {
      throw first;
    }
    return any;
  }

  /** Returns whether nothing may be posted now. */
  final boolean isStopped() {
    return failover.isUnderWay();
  }

  @Override
  public final void collect() {
    drain();
    generation = connection.generation();
  }

  @Override
  public final boolean isDrained() {
    return postedReceives() == returned;
  }

  @Override
  public final void take() {
    stripes = connection.stripes();
    lanes = connection.lanes();
    returned = 0;
  }

  private @Nullable NetException dispatch(int index) {
    int status = completions.status(index);
    long id = completions.id(index);
    if (WorkId.generation(id) != generation && WorkId.kind(id) != WorkId.FLUSH) {
      return null; // of a queue pair that is closed
    }
    if (status == WorkCompletions.SUCCESS) {
      try {
        completed(completions, index, id);
        return null;
      } catch (NetException e) {
        return e;
      }
    }
    if (WorkId.kind(id) == WorkId.RECEIVE) {
      returned++;
    }
    boolean isFlush = WorkId.kind(id) == WorkId.FLUSH;
    if (status == WorkCompletions.FLUSHED && !isFlush) {
      if (failover.isUnderWay()) {
        return null; // that is what queue pairs were made to fail for
      }
      if (flushed != null || failover.hasStoppedFor(lanes[WorkId.lane(id)])) {
        return null; // one of hundreds, perhaps, of which the first has been looked into
      }
    }
    NetException failed =
        CompletionFailure.of(
            connection.label(),
            port(id),
            id,
            status,
            completions.vendorError(index),
            completions.queuePair(index));
    String why = connection.lifeline().look();
    if (why != null) {
      return withPeer(failed, why);
    }
    if (!isFlush && failover.survives(lanes[WorkId.lane(id)], status, failed)) {
      return null;
    }
    if (status != WorkCompletions.FLUSHED) {
      return failed;
    }
    if (flushed == null) {
      flushed = failed;
      flushedAt = System.nanoTime();
    }
    return null;
  }

  private IbPort port(long id) {
    int lane = WorkId.lane(id);
    return WorkId.kind(id) == WorkId.FLUSH ? device().ports().get(lane) : connection.portOf(lane);
  }

  /** Waits a moment for the reason why a queue pair was flushed, from the peer or from an event. */
  private void awaitReason(NetException failed) {
    String why = connection.lifeline().look();
    if (why != null) {
      throw withPeer(failed, why);
    }
    if (System.nanoTime() - flushedAt > GRACE_NANOS) {
      throw failed;
    }
  }

  private static NetException withPeer(NetException failed, String why) {
    return new NetException(
        failed.result(), failed.getMessage() + "; the peer is gone (" + why + ")", failed);
  }

  private static @Nullable NetException first(
      @Nullable NetException known, @Nullable NetException next) {
    return known == null ? next : known;
  }

  private void lookForPeer() {
    long now = System.nanoTime();
    if (now - lastLook < LOOK_NANOS) {
      pollsPerLook = Math.min(MOST_POLLS_PER_LOOK, 2 * pollsPerLook);
      return;
    }
    if (gone == null) {
      pollsPerLook = Math.max(1, pollsPerLook / 2);
      lastLook = now;
      gone = connection.lifeline().look();
      if (failover.isDue()) {
        failover.begin();
      }
    } else if (now - lastLook > GRACE_NANOS) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          connection.label() + ": the peer is gone (" + gone + "), " + occupation());
    }
  }

  /** Keeps the first failure, and ends the TCP connection with it so that the peer fails too. */
  final void fail(RuntimeException why) {
    if (failure != null) {
      return;
    }
    NetException reason = reason(why);
    failure = reason;
    try {
      connection.lifeline().close(reason);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private NetException reason(RuntimeException why) {
    if (why instanceof VerbsException verb) {
      return new NetException(
          verb.result(), connection.label() + ": " + verb.getMessage() + ", " + occupation(), verb);
    }
    return why instanceof NetException known
        ? known
        : new NetException(
            ResultCode.INTERNAL_ERROR, connection.label() + ": " + why + ", " + occupation(), why);
  }

  /** Checks that a piece lies inside live memory of this comm. */
  final void checkRange(RegisteredMemory piece, long offset, long length) {
    piece.check(memory, offset, length, connection.label());
  }

  /**
   * Asks whether a request is complete, and moves the comm on.
   *
   * @param request one of this comm's
   * @param sizes as {@code Net.test} has it
   * @return true, once, when it is complete
   * @throws NetException as {@code Net.test} says
   */
  public final boolean test(IbRequest request, int @Nullable [] sizes) {
    if (sizes != null && sizes.length < request.pieces) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "array for the sizes of %s messages has %d elements", request.pieces, sizes.length));
    }
    if (request.state == IbRequest.State.ACTIVE && !closed) {
      progress();
    }
    if (request.state == IbRequest.State.DONE && !closed) {
      if (sizes != null) {
        for (int i = 0; i < request.pieces; i++) {
          sizes[i] = (int) request.sizes[i];
        }
      }
      request.release();
      return true;
    }
    checkUsable();
    if (request.state == IbRequest.State.FREE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "request of %s is dead: test has already returned true for it, and it was not"
                  + " posted again",
              connection.label()));
    }
    return false;
  }

  /**
   * Frees everything and gives unfinished requests up.
   *
   * @throws NetException INVALID_ARGUMENT when the comm is closed; SYSTEM_ERROR when something
   *     could not be freed, the comm being closed all the same
   */
  public final void close() {
    checkOpen();
    closed = true;
    Exception problem = connection.close();
    try {
      memory.close();
    } catch (NetException e) {
      problem = problem == null ? e : problem;
    }
    if (problem != null) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, connection.label() + ": cannot free the comm", problem);
    }
  }

  /** Fails where the comm has failed or is closed. */
  public final void checkUsable() {
    checkOpen();
    NetException first = failure;
    if (first != null) {
      // A new exception each time: its trace says which call was told.
      throw new NetException(first.result(), String.valueOf(first.getMessage()), first);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "comm to " + connection.label() + " has been closed");
    }
  }
}
