// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions.ConnectionOptions;
import io.nitinol.net.ib.data.Connection;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.verbs.Errno;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.VerbsException;

/**
 * Brings the queue pairs of one end up, one step after the other; mirrors {@code ncclIbCreateQp},
 * {@code ncclIbRtrQp} and {@code ncclIbRtsQp}. A step that fails for a passing reason is tried
 * again after a pause. No call waits.
 */
final class QueuePairSetup {
  private static final int FIRST_PACKET = 0;
  private static final int READS = 1;

  /** 0.64 ms. */
  private static final int RNR_TIMER = 12;

  /** Without end: a receive is always posted before its message is asked for. */
  private static final int RNR_RETRIES = 7;

  /** Where a queue pair leads to. */
  private record Target(PortInfo port, int queuePair, int trafficClass) {}

  private final Connection connection;
  private final ConnectionOptions options;
  private final Pace pace;
  private boolean made;
  private int connected;
  private boolean receiving;
  private int failures;
  private long nextTry;

  QueuePairSetup(Connection connection, ConnectionOptions options, Pace pace) {
    this.connection = connection;
    this.options = options;
    this.pace = pace;
  }

  /** Makes queue pairs; returns whether all are there, in INIT. */
  boolean make() {
    while (!made) {
      if (!pace.hasTime()) {
        return false;
      }
      made = connection.addQueuePair(options.pkeyIndex());
    }
    return true;
  }

  /**
   * Connects queue pairs with the peer's; returns whether all can send.
   *
   * @param sender what the sending end has said, whose wishes for the route hold
   */
  boolean connect(EndInfo peer, EndInfo sender) {
    while (connected < connection.paths().lanes()) {
      IbPort from = connection.portOf(connected);
      Target target =
          new Target(
              peer.ports().get(connection.paths().peerPort(connected)),
              peer.queuePairs().get(connected),
              connected < connection.clearing()
                  ? sender.fifoTrafficClass()
                  : sender.trafficClass());
      if (!step(connection.queuePairs().get(connected), from, target, sender.serviceLevel())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Makes a queue pair for flushes on each port of this side, and connects it with itself; returns
   * whether all can read.
   *
   * @param self what this side's ports are
   */
  boolean loopBack(EndInfo self) {
    int lanes = connection.paths().lanes();
    while (connected < lanes + self.ports().size()) {
      int port = connected - lanes;
      if (connection.flushPairs().size() == port) {
        if (!pace.hasTime()) {
          return false;
        }
        connection.addFlushPair(options.pkeyIndex());
      }
      QueuePair pair = connection.flushPairs().get(port);
      IbPort from = connection.device().ports().get(port);
      Target target = new Target(self.ports().get(port), pair.number(), self.trafficClass());
      if (!step(pair, from, target, self.serviceLevel())) {
        return false;
      }
    }
    return true;
  }

  private boolean step(QueuePair pair, IbPort from, Target target, int serviceLevel) {
    while (true) {
      if (!pace.hasTime() || (failures > 0 && System.nanoTime() - nextTry < 0)) {
        return false;
      }
      try {
        if (!receiving) {
          pair.toRtr(
              Routes.to(from, target.port, serviceLevel, target.trafficClass),
              target.queuePair,
              Math.min(from.activeMtu(), target.port.mtu()),
              FIRST_PACKET,
              READS,
              RNR_TIMER);
          receiving = true;
        } else {
          pair.toRts(FIRST_PACKET, options.timeout(), options.retryCount(), RNR_RETRIES, READS);
          receiving = false;
          failures = 0;
          connected++;
          return true;
        }
      } catch (VerbsException e) {
        boolean passing = e.errno() == Errno.ETIMEDOUT || options.modifyRetryAll();
        if (!passing || ++failures > options.modifyRetryCount()) {
          throw e;
        }
        nextTry = System.nanoTime() + options.modifyRetryNanos();
      }
    }
  }
}
