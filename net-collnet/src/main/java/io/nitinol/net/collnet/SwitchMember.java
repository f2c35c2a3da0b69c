// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.ControlFrame.Admit;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.v12.Net;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One rank's end of a group: a pool of requests, the started ones in their order, and the sender
 * and the receiver that move them. They move only in calls of the thread that drives the comm.
 */
final class SwitchMember implements CollComm {
  private static final int MOST = Net.MAX_REQUESTS;

  /** How long the switch has, after the data connections failed, to report the reason. */
  private static final long EXPLAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final CollNet plugin;
  private final int rank;
  private final int nranks;
  private final CommPair pair;
  private final SwitchLink control;
  private final GroupLink group;
  private final Runnable afterwards;
  private final Segments segments;
  private final ContributionSender sending;
  private final ResultReceiver receiving;

  private final SwitchRequest[] pool = new SwitchRequest[MOST];
  private int available = MOST;
  private final @Nullable SwitchRequest[] underWay =
      new SwitchRequest[MOST]; // at their number modulo MOST
  private long started;
  private long sendingNow;
  private long receivingNow;
  private long failedFrom =
      Long.MAX_VALUE; // the first operation that the caller was told to have failed

  private @Nullable NetException unsent; // why nothing is sent any more
  private @Nullable NetException broken; // why nothing is received any more
  private long lostNanos; // when the first of the two was set; 0: neither is
  private volatile boolean open = true;

  /**
   * Takes over the connections of a member that has joined.
   *
   * @param afterwards run last when the member leaves
   */
  SwitchMember(
      CollNet plugin,
      int rank,
      int nranks,
      CommPair pair,
      SwitchLink control,
      GroupLink group,
      Admit admit,
      Runnable afterwards) {
    this.plugin = plugin;
    this.rank = rank;
    this.nranks = nranks;
    this.pair = pair;
    this.control = control;
    this.group = group;
    this.afterwards = afterwards;
    segments = new Segments(new int[] {rank}, admit.segmentBytes());
    sending = new ContributionSender(pair, segments, admit.segmentBytes(), MOST);
    receiving = new ResultReceiver(pair, segments, admit.segmentBytes());
    for (int i = 0; i < MOST; i++) {
      pool[i] = new SwitchRequest(this, i);
    }
  }

  boolean isOf(CollNet instance) {
    return plugin.equals(instance) && open;
  }

  int rank() {
    return rank;
  }

  int nranks() {
    return nranks;
  }

  SwitchRegion register(@Nullable Memory memory) {
    return new SwitchRegion(this, pair, memory);
  }

  /** Returns the number of the next operation. */
  long next() {
    return started;
  }

  /**
   * Returns a request to be filled in and {@link #start}ed; null: there is no room now.
   *
   * @throws NetException when the group has failed
   */
  @Nullable SwitchRequest take() {
    if (available == 0) {
      return null;
    }
    NetException told = group.failure();
    if (lostNanos != 0 || told != null) {
      NetException failure = failure(told, started);
      if (failure != null) {
        throw failure;
      }
      if (lostNanos != 0) {
        return null; // the reason is about to come
      }
    }
    return pool[--available];
  }

  /** Starts a request whose descriptor and pieces are filled in. */
  SwitchRequest start(SwitchRequest operation, long resultBytes) {
    operation.begin(segments.count(operation.descriptor), resultBytes);
    sending.prepare(operation);
    underWay[(int) (started % MOST)] = operation;
    started++;
    progress();
    return operation;
  }

  boolean test(SwitchRequest operation, int @Nullable [] sizes) {
    NetException told = group.failure(); // before the last look at what has come
    progress();
    boolean ends = told != null || unsent != null;
    // If the result is there, the contribution was taken, even if its sends have not completed.
    if (ends ? operation.received : operation.isComplete()) {
      if (sizes != null) {
        sizes[0] = (int) operation.resultBytes;
      }
      release(operation);
      return true;
    }
    if (told != null || lostNanos != 0) {
      NetException failure = failure(told, operation.descriptor.sequence());
      if (failure != null) {
        failedFrom = Math.min(failedFrom, operation.descriptor.sequence());
        release(operation);
        throw failure;
      }
    }
    return false;
  }

  private void release(SwitchRequest operation) {
    operation.end();
    pool[available++] = operation;
  }

  /**
   * Sends and receives as much as there is room for; {@link #failure} reports failures. When a
   * group has failed the switch closes both directions, and results that it had sent before still
   * arrive.
   */
  private void progress() {
    if (unsent == null) {
      try {
        sending.finish();
        while (sendingNow < Math.min(started, failedFrom) && sending.send(at(sendingNow))) {
          sendingNow++;
        }
      } catch (NetException e) {
        unsent = e;
        lost(e);
      }
    }
    if (broken == null) {
      try {
        receiving.finish();
        while (receivingNow < Math.min(started, failedFrom)
            && receiving.receive(at(receivingNow))) {
          receivingNow++;
        }
      } catch (NetException e) {
        broken = e;
        lost(e);
      }
    }
  }

  /** Notes a failure of a data connection, and reports the first one to the switch. */
  private void lost(NetException e) {
    if (lostNanos == 0) {
      lostNanos = System.nanoTime() | 1;
      control.send(
          new ControlFrame.Fail(
              e.result(),
              rank,
              ControlFrame.UNKNOWN,
              "rank " + rank + " lost its data connection: " + e.getMessage()));
    }
  }

  private SwitchRequest at(long number) {
    SwitchRequest operation = underWay[(int) (number % MOST)];
    if (operation == null) {
      throw new IllegalStateException("no operation " + number + " of " + started);
    }
    return operation;
  }

  /**
   * Returns why an operation has failed; null: it has not failed, or the reason is not known yet.
   *
   * @param told the switch's failure, read before the last look at the data connections
   */
  private @Nullable NetException failure(@Nullable NetException told, long sequence) {
    if (told != null) {
      return broken != null || group.isLost(sequence)
          ? new NetException(told.result(), String.valueOf(told.getMessage()), told)
          : null;
    }
    NetException own = broken == null ? unsent : broken;
    if (own != null && System.nanoTime() - lostNanos > EXPLAIN_NANOS) {
      return new NetException(
          own.result() == ResultCode.INVALID_ARGUMENT ? ResultCode.INTERNAL_ERROR : own.result(),
          group + ": the data connection to the switch failed: " + own.getMessage(),
          own);
    }
    return null;
  }

  /** Leaves the group, operations in flight included. */
  void close() {
    open = false;
    control.send(new ControlFrame.Leave());
    control.close();
    try {
      pair.close();
      sending.close(); // not where the comms may still touch their memory (NET-CLOSE-10)
      receiving.close();
    } finally {
      afterwards.run();
    }
  }
}
