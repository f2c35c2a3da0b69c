// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.failureOf;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay without any key that swaps the insides of two encrypted connections is found out. */
class TlsCrossingTest {
  private static final String REFUSAL =
      "the peer inside TLS is not the one that proved itself before";

  /** With certificates of one authority, which fit any connection. */
  @Test
  void connectionsToTwoListenersAreNotCrossedWithCertificates(@TempDir Path directory)
      throws Exception {
    try (Loopback plugin = withCertificates(directory)) {
      assertAllAreTold(plugin, refused(plugin, plugin.handle(), plugin.handle(), false, 1, 0));
    }
  }

  /** With keys that follow from the handle, which fit all connections of its listener. */
  @Test
  void connectionsToOneListenerAreNotCrossedWithDerivedKeys() throws Exception {
    try (Loopback plugin = new Loopback("NITINOL_SOCKET_TLS", "1")) {
      assertAllAreTold(plugin, refused(plugin, plugin.handle(), plugin.handle(), true, 1, 0));
    }
  }

  private static void assertAllAreTold(Loopback plugin, NetException[] failures) {
    for (NetException each : failures) {
      assertThat(each).hasMessageContaining(REFUSAL);
    }
    assertThat(drops(plugin, REFUSAL)).isEqualTo(2);
  }

  /**
   * One swapped stream of several is enough to refuse the comm, whichever it is. The side that
   * finds it out cuts the others, and the other ends may see no more than that.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aSingleStreamIsNotCrossed(int crossed) throws Exception {
    try (Loopback plugin =
        new Loopback(
            "NITINOL_SOCKET_TLS",
            "1",
            "NCCL_SOCKET_NTHREADS",
            "2",
            "NCCL_NSOCKS_PERTHREAD",
            "1",
            "NCCL_SOCKET_RETRY_CNT",
            "0")) {
      NetException[] failures = refused(plugin, plugin.handle(), plugin.handle(), true, 3, crossed);
      assertThat(
              drops(plugin, REFUSAL)
                  + Arrays.stream(failures).filter(e -> e.getMessage().contains(REFUSAL)).count())
          .isPositive();
    }
  }

  /** The same relay, exchanging nothing: what is refused above is the exchange. */
  @ParameterizedTest
  @CsvSource({"1, 0", "3, 2"})
  void aRelayThatPassesOnIsNoMatter(int streams, String threads, @TempDir Path directory)
      throws Exception {
    try (Loopback plugin =
        withCertificates(
            directory, "NCCL_SOCKET_NTHREADS", threads, "NCCL_NSOCKS_PERTHREAD", "1")) {
      assertThat(plugin.log.lines)
          .anyMatch(line -> line.contains("encrypted by TLS 1.3, certificates from files"));
      MemorySegment[] handles = {plugin.handle(), plugin.handle()};
      ListenComm[] listeners = {plugin.net.listen(0, handles[0]), plugin.net.listen(0, handles[1])};
      try (CrossingRelay relay = new CrossingRelay(streams, CrossingRelay.NONE, handles)) {
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

  /** Returns the failures of the connecting ends, once all four ends have failed. */
  private static NetException[] refused(
      Loopback plugin,
      MemorySegment first,
      MemorySegment second,
      boolean oneListener,
      int streams,
      int crossed)
      throws Exception {
    ListenComm one = plugin.net.listen(0, first);
    ListenComm other = oneListener ? one : plugin.net.listen(0, second);
    if (oneListener) {
      second.copyFrom(first);
    }
    MemorySegment[] handles = {first, second};
    NetException[] failures = new NetException[2];
    try (CrossingRelay relay = new CrossingRelay(streams, crossed, handles)) {
      Await.until(
          "failures of all four ends",
          () -> {
            for (int i = 0; i < 2; i++) {
              MemorySegment handle = handles[i];
              failures[i] =
                  failures[i] == null
                      ? failureOf(() ->
                          assertThat(plugin.net.connect(0, handle))
                              .as("a comm of crossed connections")
                              .isNull())
                      : failures[i];
            }
            assertThat(plugin.net.accept(one)).as("a comm of crossed connections").isNull();
            assertThat(plugin.net.accept(other)).as("a comm of crossed connections").isNull();
            return failures[0] != null && failures[1] != null && drops(plugin, "") == 2;
          });
      for (NetException each : failures) {
        assertThat(each.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      }
    }
    plugin.net.closeListen(one);
    if (!oneListener) {
      plugin.net.closeListen(other);
    }
    return failures;
  }

  /** How often the listeners have said that they drop a comm for what happens inside TLS. */
  private static long drops(Loopback plugin, String why) {
    return plugin.log.lines.stream()
        .filter(line -> line.contains("its TLS handshake failed: " + why))
        .count();
  }

  private static Loopback withCertificates(Path directory, String... more) throws Exception {
    TestAuthority authority = new TestAuthority(directory, "ca");
    KeyPair pair = TestAuthority.generate("EC");
    List<String> values = new ArrayList<>(List.of(more));
    values.addAll(
        List.of(
            "NITINOL_SOCKET_TLS",
            "1",
            "NITINOL_SOCKET_TLS_CERT",
            authority.certificate("member", pair).toString(),
            "NITINOL_SOCKET_TLS_KEY",
            authority.key("member", pair).toString(),
            "NITINOL_SOCKET_TLS_CA",
            authority.ca().toString()));
    return new Loopback(values.toArray(String[]::new));
  }
}
