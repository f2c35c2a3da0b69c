// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.net.ib.verbs.WorkCompletions;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lets a comm whose device has several ports go on when one of them, or the path to it, fails:
 * {@code NCCL_IB_RESILIENCY_PORT_FAILOVER}.
 *
 * <p>The side that notices stops, and tells the other. Each takes all queue pairs out of service
 * and closes them, so that no card writes or reads any more for unfinished requests. Then they tell
 * each other which receives are complete and which paths are lost, make new queue pairs on the
 * paths that are left, and begin every receive that is not complete from its start: the receiver
 * with new clear-to-send entries, the sender with all of its data. Data may be written twice, which
 * does no harm, since the caller does not have the memory back.
 *
 * <p>Why that loses nothing: the receiver counts what its failed queue pairs give back until none
 * of its requests is missing, and only then says what is complete. So a write that its card has
 * acknowledged, after which the sender's caller may have changed the data, is among it. Where a
 * card breaks that promise, the sender notices, and the comm fails.
 *
 * <p>One time limit bounds all of it. Steps in which the peer's caller has no part have a limit of
 * seconds. One failure is survived at a time: a port that fails while the two go on without another
 * ends the comm.
 */
@OneThread
final class Failover {
  /** The end of a comm that is watched over. Called by its driver. */
  interface End {
    /** Returns whether this is the sending end. */
    boolean isSending();

    /** Returns the number of the next receive to be posted, or, sending, to be given messages. */
    long nextReceive();

    /** Returns which receives are complete, by the slots of the last ones; 0 of the sending end. */
    int complete();

    /** Takes what completions there are, posting nothing. */
    void collect();

    /** Returns whether failed queue pairs have given back every receive. */
    boolean isDrained();

    /** Takes the connection's new queue pairs over. */
    void take();

    /**
     * Begins what is not complete again, on other queue pairs.
     *
     * @param peerNext the peer's {@link #nextReceive}
     * @param peerComplete the peer's {@link #complete}
     */
    void resume(long peerNext, int peerComplete);
  }

  private enum State {
    /** Messages flow. */
    RUNNING,
    /** Posts nothing any more, and takes its queue pairs out of service. */
    STOPPING,
    /** Awaits the completions of what was posted. */
    DRAINING,
    /** Closes them. */
    CLOSING,
    /** Has sent the peer its report, and awaits the peer's. */
    AGREEING,
    /** Makes queue pairs. */
    MAKING,
    /** Waits for those of the peer. */
    HEARING,
    /** Connects them. */
    CONNECTING,
    /** Waits until the peer has done so, too. */
    READY,
    /** Has begun again; the last frame may still have to leave. */
    RESUMED
  }

  /** How long one call goes on with steps that a driver takes a while for. */
  private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** How long a card may take to give back what was posted, which it does by itself. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final End end;
  private final IbConnection connection;
  private final Lifeline lifeline;
  private final @Nullable QueuePairRenewal renewal;
  private final long limitNanos;
  private final DebugLogger logger;

  private State state = State.RUNNING;
  private long lost;
  private @Nullable NetException trouble;
  private @Nullable FailoverReport peer;
  private long began;
  private long stopped;
  private int outOfService;

  /**
   * Watches over a comm.
   *
   * @param connection the end's connection
   * @param survival what to do when a port fails
   */
  Failover(IbConnection connection, End end, FailoverPolicy survival) {
    this.end = end;
    this.connection = connection;
    this.lifeline = connection.lifeline();
    this.renewal = survival.renewal();
    this.limitNanos = survival.limitNanos();
    this.logger = survival.logger();
  }

  /** Returns whether nothing may be posted now. */
  boolean isUnderWay() {
    return state != State.RUNNING;
  }

  /** Returns whether a failure that may be survived has happened, here or at the peer. */
  boolean isDue() {
    return trouble != null || lifeline.stop() != null;
  }

  /**
   * Returns whether a failed request may be survived, and notes it then: a peer that does not
   * answer, or a port that is down, is no fault of either side's, and there has to be another path.
   */
  boolean survives(IbLane lane, int status, NetException failed) {
    if (renewal == null || connection.paths().count() < 2) {
      return false;
    }
    IbPort port = connection.portOf(lane.index);
    if (status != WorkCompletions.FLUSHED
        && status != WorkCompletions.RETRY_EXCEEDED
        && !CompletionFailure.isDown(port)) {
      return false;
    }
    if (trouble == null) {
      trouble = failed;
    }
    note(lane.index);
    return true;
  }

  /**
   * Returns whether a queue pair that has failed is one more of those for which the comm stops.
   * Notes it then.
   */
  boolean hasStoppedFor(IbLane lane) {
    if (trouble == null) {
      return false;
    }
    note(lane.index);
    return true;
  }

  /**
   * Notes a lost path, unless the peer has stopped: then it answers on no path, so a failure tells
   * nothing about this one, and {@link #begin} looks for ports that are down.
   */
  private void note(int lane) {
    if (lifeline.stop() == null) {
      lost |= connection.paths().of(lane);
    }
  }

  /**
   * Stops.
   *
   * @throws NetException why the comm cannot be saved
   */
  void begin() {
    String said = lifeline.stop();
    if (trouble == null) {
      trouble =
          new NetException(
              ResultCode.REMOTE_ERROR,
              connection.label() + ": the peer goes on without a port: " + said);
    }
    if (renewal == null) {
      throw lose("this side does not, see NCCL_IB_RESILIENCY_PORT_FAILOVER");
    }
    Paths paths = connection.paths();
    for (int port : paths.ports()) {
      if (CompletionFailure.isDown(connection.device().ports().get(port))) {
        lost |= paths.through(port);
      }
    }
    began = System.nanoTime();
    peer = null;
    checkLeft();
    logger.warn("net-ib", "NET/IB : " + trouble.getMessage() + "; trying to go on without it");
    lifeline.stop(trouble);
    outOfService = 0;
    state = State.STOPPING;
  }

  private void checkLeft() {
    if (connection.paths().without(lost).lanes() == 0) {
      throw lose("no other port is left");
    }
  }

  private NetException lose(String why) {
    NetException first = trouble;
    return first == null
        ? new NetException(ResultCode.REMOTE_ERROR, connection.label() + ": " + why)
        : new NetException(first.result(), first.getMessage() + "; " + why, first);
  }

  /**
   * Goes on.
   *
   * @return whether messages flow again
   * @throws NetException why the comm cannot be saved
   */
  boolean step() {
    long called = System.nanoTime();
    try {
      while (advance()) {
        if (state == State.RUNNING) {
          return true;
        }
        if (System.nanoTime() - called > CALL_NANOS) {
          break;
        }
      }
    } catch (IOException e) {
      throw lose("the peer is gone (" + e.getMessage() + ")");
    } catch (FrameException e) {
      throw lose("the peer sent " + e.getMessage());
    } catch (VerbsException e) {
      throw lose("to go on without it failed, too: " + e.getMessage());
    }
    if (state == State.DRAINING && System.nanoTime() - stopped > DRAIN_NANOS) {
      throw lose(waiting() + " within " + TimeUnit.NANOSECONDS.toSeconds(DRAIN_NANOS) + " s");
    }
    if (System.nanoTime() - began > limitNanos) {
      throw lose(
          ErrorText.of(
              "the two sides did not go on without it within %s ms (NITINOL_IB_FAILOVER_MSEC):"
                  + " %s",
              TimeUnit.NANOSECONDS.toMillis(limitNanos), waiting()));
    }
    return false;
  }

  private String waiting() {
    return switch (state) {
      case STOPPING, CLOSING -> "the device does not close its queue pairs";
      case DRAINING -> "the device does not give back what its failed queue pairs held";
      case AGREEING, HEARING, READY -> "the peer has not answered";
      default -> "the queue pairs do not connect";
    };
  }

  /** Takes one step; false: the next has to wait. */
  private boolean advance() throws IOException, FrameException {
    if (isBusy() && lifeline.listen() != null) {
      end.collect(); // what the peer had sent before
      throw lose("the peer is gone (" + lifeline.end() + ")");
    }
    if (!lifeline.said()) {
      return false;
    }
    QueuePairRenewal made = Objects.requireNonNull(renewal, "renewal");
    switch (state) {
      case RUNNING -> throw new IllegalStateException("nothing has failed");
      case STOPPING -> {
        connection.failPair(outOfService);
        if (++outOfService == connection.paths().lanes()) {
          stopped = System.nanoTime();
          state = State.DRAINING;
        }
      }
      case DRAINING -> {
        end.collect();
        if (!end.isDrained()) {
          return false;
        }
        state = State.CLOSING;
      }
      case CLOSING -> {
        if (!connection.closePair()) {
          return true;
        }
        end.collect();
        FailoverReport own =
            new FailoverReport(connection.generation(), lost, end.nextReceive(), end.complete());
        lifeline.say(IbFrameKind.STANDING, own.encode());
        state = State.AGREEING;
      }
      case AGREEING -> {
        ByteBuffer body = hear(IbFrameKind.STANDING);
        if (body == null) {
          return false;
        }
        FailoverReport heard = FailoverReport.decode(body);
        heard.check(connection.generation(), connection.paths().all());
        peer = heard;
        lost |= heard.lost();
        if (lost == 0) {
          // It could do so for ever, and nothing would ever be sent.
          throw lose("neither side has lost a port");
        }
        checkLeft();
        connection.leave(lost);
        made.begin();
        state = State.MAKING;
      }
      case MAKING -> {
        if (!made.make()) {
          return false;
        }
        if (end.isSending()) {
          lifeline.say(IbFrameKind.INFO, made.info());
        }
        state = State.HEARING;
      }
      case HEARING -> {
        ByteBuffer body = hear(IbFrameKind.INFO);
        if (body == null) {
          return false;
        }
        made.heard(body);
        state = State.CONNECTING;
      }
      case CONNECTING -> {
        if (!made.connect()) {
          return false;
        }
        if (end.isSending()) {
          lifeline.say(IbFrameKind.READY, ByteBuffer.allocate(0));
        } else {
          lifeline.say(IbFrameKind.INFO, made.info());
        }
        state = State.READY;
      }
      case READY -> {
        if (hear(IbFrameKind.READY) == null) {
          return false;
        }
        FailoverReport known = Objects.requireNonNull(peer, "what the peer has said");
        end.take();
        end.resume(known.next(), known.complete());
        if (!end.isSending()) {
          lifeline.say(IbFrameKind.READY, ByteBuffer.allocate(0));
        }
        state = State.RESUMED;
      }
      case RESUMED -> {
        tell();
        state = State.RUNNING;
      }
    }
    return true;
  }

  /** Returns whether nothing is expected of the peer now, and its end would not be heard. */
  private boolean isBusy() {
    return switch (state) {
      case STOPPING, DRAINING, CLOSING, MAKING, CONNECTING -> true;
      default -> false;
    };
  }

  /** Returns the body of the next frame; the peer may first say that it stops, too. */
  private @Nullable ByteBuffer hear(IbFrameKind kind) {
    ByteBuffer body = lifeline.hear(kind);
    String gone = lifeline.end();
    if (gone != null) {
      throw lose("the peer is gone (" + gone + ")");
    }
    return body;
  }

  private void tell() {
    Paths left = connection.paths();
    List<IbPort> ports = connection.device().ports();
    logger.warn(
        "net-ib",
        ErrorText.of(
            "NET/IB : %s: goes on through %s with %s%s, %s ms after it stopped; what is"
                + " connected when the port is back uses it again",
            connection.label(),
            left.ports().stream()
                .map(port -> ports.get(port).label())
                .collect(Collectors.joining(", ")),
            left.lanes(),
            left.lanes() == 1 ? " queue pair" : " queue pairs",
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)));
    lost = 0;
    trouble = null;
    lifeline.forgetStop();
  }
}
