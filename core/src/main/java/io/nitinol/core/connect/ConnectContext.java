// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import java.util.List;

/**
 * The context that all connections of a rank share.
 *
 * @param bootstrap carries notices
 * @param peers all ranks, in their order
 * @param failures hears what goes wrong
 * @param memory what connections use, which is kept where one does not let go of it
 * @param limitSeconds how long a connection may take once both ends have begun
 */
record ConnectContext(
    Bootstrap bootstrap,
    List<PeerInfo> peers,
    CommFailures failures,
    CommMemory memory,
    DebugLogger logger,
    int limitSeconds) {
  /** The bootstrap tag of notices: any number that nothing else uses. */
  static final int TAG = 0x434f4e4e;

  private static final long LINES = LogSubsystem.INIT.mask() | LogSubsystem.GRAPH.mask();

  /** Copies the list. */
  ConnectContext {
    peers = List.copyOf(peers);
  }

  int rank() {
    return bootstrap.rank();
  }

  /** Returns whether {@link #log} writes anything. */
  boolean isLogged() {
    return logger.isEnabled(LogLevel.INFO, LINES);
  }

  /**
   * Tells the log what was made.
   *
   * @param channel which channel it is for, from 0
   * @param kind what it is for: NCCL's index of the connection
   * @param text what was made
   */
  void log(int channel, int kind, String text) {
    logger.log(
        LogLevel.INFO,
        LINES,
        "LazyConnectors",
        0,
        ErrorText.of("Channel %02d/%d : %s", channel, kind, text));
  }

  /** Returns a rank with its place among those of its host, as NCCL shows it with its GPU. */
  String named(int other) {
    long host = peers.get(other).host();
    long before = peers.subList(0, other).stream().filter(peer -> peer.host() == host).count();
    return ErrorText.of("%d[%d]", other, before);
  }

  void send(int peer, ConnectNotice notice) {
    bootstrap.send(peer, TAG, notice.toBytes());
  }
}
