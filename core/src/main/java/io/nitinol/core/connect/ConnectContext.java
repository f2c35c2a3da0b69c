// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.spi.DebugLogger;

/**
 * The context that all connections of a rank share.
 *
 * @param bootstrap carries notices
 * @param failures hears what goes wrong
 * @param memory what connections use, which is kept where one does not let go of it
 * @param limitSeconds how long a connection may take once both ends have begun
 */
record ConnectContext(
    Bootstrap bootstrap,
    CommFailures failures,
    CommMemory memory,
    DebugLogger logger,
    int limitSeconds) {
  /** The bootstrap tag of notices: any number that nothing else uses. */
  static final int TAG = 0x434f4e4e;

  int rank() {
    return bootstrap.rank();
  }

  void send(int peer, ConnectNotice notice) {
    bootstrap.send(peer, TAG, notice.toBytes());
  }
}
