// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import io.nitinol.toolkit.control.ControlLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the address at which a rank listens for the others, and listens there. */
final class OwnEnd {
  private OwnEnd() {}

  /** Returns the address at which this rank listens: one that the others can reach. */
  static InetAddress address(UniqueId id, @Nullable Root root, Settings settings) {
    InetSocketAddress at = root != null ? root.address() : id.roots().getFirst();
    InetAddress near = id.rootAtRank0() ? at.getAddress() : null;
    List<SocketInterface> found = InterfaceSearch.find(settings, near, 1);
    if (found.isEmpty()) {
      throw new BootstrapException(
          ResultCode.INVALID_USAGE, "bootstrap: " + InterfaceSearch.explain(settings));
    }
    return found.getFirst().address();
  }

  /** Listens at {@code own}, at any port; the thread is not started. */
  static RankLoop listen(
      InetAddress own, UniqueId id, int rank, Duration timeout, DebugLogger log) {
    try {
      return new RankLoop(
          "nitinol-bootstrap-" + rank,
          new InetSocketAddress(own, 0),
          id.jobSecret(),
          rank,
          timeout,
          log);
    } catch (IOException e) {
      throw new BootstrapException(
          ResultCode.SYSTEM_ERROR,
          -1,
          ErrorText.of(
              "bootstrap: rank %d cannot listen at %s: %s",
              rank, own.getHostAddress(), ControlLoop.text(e)),
          e);
    }
  }
}
