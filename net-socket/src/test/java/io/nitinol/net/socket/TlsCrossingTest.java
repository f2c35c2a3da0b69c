// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.tls.TestAuthority;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.KeyPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody without any key who exchanges the insides of two encrypted connections. */
class TlsCrossingTest {
  private static final String REFUSAL =
      "the peer inside TLS is not the one that proved itself before";

  /** With certificates of one authority, which fit any connection. */
  @Test
  void connectionsToTwoListenersAreNotCrossedWithCertificates(@TempDir Path directory)
      throws Exception {
    try (Loopback plugin = withCertificates(directory)) {
      refused(plugin, plugin.handle(), plugin.handle(), false);
    }
  }

  /** With keys that follow from the handle, which fit all connections of its listener. */
  @Test
  void connectionsToOneListenerAreNotCrossedWithDerivedKeys() throws Exception {
    try (Loopback plugin = new Loopback("NITINOL_SOCKET_TLS", "1")) {
      refused(plugin, plugin.handle(), plugin.handle(), true);
    }
  }

  /** The same relay, exchanging nothing: what is refused above is the exchange. */
  @Test
  void aRelayThatPassesOnIsNoMatter(@TempDir Path directory) throws Exception {
    try (Loopback plugin = withCertificates(directory)) {
      assertThat(plugin.log.lines)
          .anyMatch(line -> line.contains("encrypted by TLS 1.3, certificates from files"));
      MemorySegment[] handles = {plugin.handle(), plugin.handle()};
      ListenComm[] listeners = {plugin.net.listen(0, handles[0]), plugin.net.listen(0, handles[1])};
      try (CrossingRelay relay = new CrossingRelay(false, handles)) {
        SendComm[] sends = new SendComm[2];
        RecvComm[] receives = new RecvComm[2];
        Await.until(
            "both connections",
            () -> {
              boolean all = true;
              for (int i = 0; i < 2; i++) {
                sends[i] = sends[i] == null ? plugin.net.connect(0, handles[i]) : sends[i];
                receives[i] = receives[i] == null ? plugin.net.accept(listeners[i]) : receives[i];
                all &= sends[i] != null && receives[i] != null;
              }
              return all;
            });
        for (int i = 0; i < 2; i++) {
          plugin.net.closeSend(sends[i]);
          plugin.net.closeRecv(receives[i]);
          plugin.net.closeListen(listeners[i]);
        }
      }
    }
  }

  private static void refused(
      Loopback plugin, MemorySegment first, MemorySegment second, boolean oneListener)
      throws Exception {
    ListenComm one = plugin.net.listen(0, first);
    ListenComm other = oneListener ? one : plugin.net.listen(0, second);
    if (oneListener) {
      second.copyFrom(first);
    }
    MemorySegment[] handles = {first, second};
    try (CrossingRelay relay = new CrossingRelay(true, handles)) {
      NetException[] failures = new NetException[2];
      Await.until(
          "failures of all four ends",
          () -> {
            for (int i = 0; i < 2; i++) {
              failures[i] = failures[i] == null ? connect(plugin, handles[i]) : failures[i];
            }
            assertThat(plugin.net.accept(one)).as("a comm of crossed connections").isNull();
            assertThat(plugin.net.accept(other)).as("a comm of crossed connections").isNull();
            return failures[0] != null && failures[1] != null && refusals(plugin) == 2;
          });
      for (NetException each : failures) {
        assertThat(each.result()).isEqualTo(ResultCode.REMOTE_ERROR);
        assertThat(each).hasMessageContaining(REFUSAL);
      }
    }
    plugin.net.closeListen(one);
    if (!oneListener) {
      plugin.net.closeListen(other);
    }
  }

  private static NetException connect(Loopback plugin, MemorySegment handle) {
    try {
      assertThat(plugin.net.connect(0, handle)).as("a comm of crossed connections").isNull();
      return null;
    } catch (NetException e) {
      return e;
    }
  }

  /** How often the listeners have said that they refuse an exchanged connection. */
  private static long refusals(Loopback plugin) {
    return plugin.log.lines.stream()
        .filter(line -> line.contains("its TLS handshake failed: " + REFUSAL))
        .count();
  }

  private static Loopback withCertificates(Path directory) throws Exception {
    TestAuthority authority = new TestAuthority(directory, "ca");
    KeyPair pair = TestAuthority.generate("EC");
    return new Loopback(
        "NITINOL_SOCKET_TLS",
        "1",
        "NITINOL_SOCKET_TLS_CERT",
        authority.certificate("member", pair).toString(),
        "NITINOL_SOCKET_TLS_KEY",
        authority.key("member", pair).toString(),
        "NITINOL_SOCKET_TLS_CA",
        authority.ca().toString());
  }
}
