// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.RecordingLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Accepting fails; that strangers took all descriptors is tested with a plugin and processes. */
class AcceptFailuresTest {
  private static final long SECOND = 1_000_000_000;

  /** A failed connection of one is no reason to drop another while there are descriptors. */
  @Test
  void aConnectionThatFailsByItselfCostsNobodyElseItsPlace() throws IOException {
    RecordingLog log = new RecordingLog();
    ConnectOptions options = Pair.options(Features.NONE);
    Arrivals arrivals = new Arrivals(new byte[16], Agreement.ONE, options, log, "listener");
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(Pair.LOOPBACK, 0));
      AcceptFailures failures = new AcceptFailures(Pair.LOOPBACK, arrivals::dropOldest);
      try (SocketChannel innocent = SocketChannel.open(server.getLocalAddress())) {
        innocent.configureBlocking(false);
        arrivals.add(server.accept(), 0);
        IOException refused = new IOException("Operation not permitted");
        failures.bear(server, refused, 0);
        failures.bear(server, refused, 4 * SECOND);
        failures.over();
        failures.bear(server, refused, 20 * SECOND);
        assertThat(failures.isLasting(20 * SECOND)).isFalse();
        failures.bear(server, refused, 26 * SECOND);
        assertThat(failures.isLasting(26 * SECOND)).isTrue();
        assertThat(log.warnings).isEmpty();
        assertThat(innocent.read(ByteBuffer.allocate(1))).isZero();
      } finally {
        arrivals.closeAll();
      }
    }
  }
}
