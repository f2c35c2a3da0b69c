// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.config.IbOptions.ConnectionOptions;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.verbs.Ece;
import io.nitinol.net.ib.verbs.Errno;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.VerbsException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Brings the queue pairs of one end up, one step after the other; mirrors {@code ncclIbCreateQp},
 * {@code ncclIbRtrQp} and {@code ncclIbRtsQp}. A step that fails for a passing reason is tried
 * again after a pause. No call waits.
 */
final class QueuePairSetup {
  private static final int PACKET_NUMBERS = 1 << 24;
  private static final int READS = 1;

  /** 0.64 ms. */
  private static final int RNR_TIMER = 12;

  /** Without end: a receive is always posted before its message is asked for. */
  private static final int RNR_RETRIES = 7;

  /** Where a queue pair leads to. */
  private record Target(PortInfo port, int queuePair, int firstPacket, int trafficClass) {}

  private final IbConnection connection;
  private final ConnectionOptions options;
  private final Pace pace;
  private final Enhancements enhancements;

  /**
   * Another one each time: a packet of an earlier queue pair of the same number, which a switch has
   * kept so long, must not fit.
   */
  private final int firstPacket = ThreadLocalRandom.current().nextInt(PACKET_NUMBERS);

  private boolean made;
  private int connected;
  private boolean receiving;
  private int failures;
  private long nextTry;

  QueuePairSetup(IbConnection connection, ConnectionOptions options, Pace pace) {
    this.connection = connection;
    this.options = options;
    this.pace = pace;
    this.enhancements =
        new Enhancements(
            options.ece(),
            connection.clearing() > 0,
            connection.paths().lanes(),
            new Enhancements.Pairs() {
              @Override
              public @Nullable Ece query(int lane) {
                return connection.queuePairs().get(lane).queryEce();
              }

              @Override
              public boolean set(int lane, Ece ece) {
                return connection.queuePairs().get(lane).setEce(ece);
              }
            });
  }

  /** Returns what to tell the peer of this side. */
  EndInfo info(IbOptions all, long address) {
    return EndInfo.of(connection, all, address, firstPacket, enhancements.said());
  }

  /** Makes queue pairs; returns whether all are there, in INIT. */
  boolean make() {
    while (!made) {
      if (!pace.hasTime()) {
        return false;
      }
      made = connection.addQueuePair(options.pkeyIndex());
      enhancements.made(connection.queuePairs().size() - 1);
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
              peer.firstPacket(),
              connected < connection.clearing()
                  ? sender.fifoTrafficClass()
                  : sender.trafficClass());
      if (!receiving) {
        enhancements.connecting(connected, peer.enhancements().get(connected), connection.label());
      }
      if (!step(connection.queuePairs().get(connected), from, target, sender.serviceLevel())) {
        return false;
      }
      enhancements.connected(connected - 1);
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
      Target target =
          new Target(self.ports().get(port), pair.number(), firstPacket, self.trafficClass());
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
              target.firstPacket,
              READS,
              RNR_TIMER);
          receiving = true;
        } else {
          pair.toRts(firstPacket, options.timeout(), options.retryCount(), RNR_RETRIES, READS);
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
