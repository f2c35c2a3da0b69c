// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What both sides have to agree about, and how they learn that they do not. */
class FeaturesTest {

  @ParameterizedTest
  @CsvSource({"0,1", "1,0"})
  void differingWishesAreNamedOnBothSides(int connecting, int listening) {
    try (Loopback pair = new Loopback()) {
      Listener listener = Listener.open(device(pair), options(listening), pair.log);
      Route route = new Route(device(pair), listener.handle(), options(connecting), pair.log);
      ConnectAttempt attempt = new ConnectAttempt(route, System.nanoTime());
      NetException[] failures = new NetException[2];
      Await.until(
          "failures of both sides",
          () -> {
            try {
              assertThat(attempt.isOver() ? null : attempt.advance(System.nanoTime())).isNull();
            } catch (NetException e) {
              failures[0] = e;
            }
            try {
              assertThat(failures[1] == null ? listener.accept() : null).isNull();
            } catch (NetException e) {
              failures[1] = e;
            }
            return failures[0] != null && failures[1] != null;
          });
      assertDisagrees(failures[0], connecting == 0);
      assertDisagrees(failures[1], listening == 0);
      assertThat(attempt.isOver()).isTrue();
      // It is a matter of that one peer: another one is let in.
      assertThat(listener.accept()).isNull();
      listener.close();
    }
  }

  private static void assertDisagrees(NetException failure, boolean thisSideIsPlain) {
    assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
    assertThat(failure)
        .hasMessageContaining("NITINOL_SOCKET_TLS has to be the same on all ranks")
        .hasMessageContaining("peer 127.0.0.1:")
        .hasMessageContaining(
            thisSideIsPlain
                ? "wants its connections encrypted and this side wants them plain"
                : "wants its connections plain and this side wants them encrypted");
  }

  @Test
  void whatThisVersionDoesNotKnowIsNamedByItsNumber() {
    assertThat(Features.differ("peer x", 6, 0))
        .hasMessageContaining("unknown features (flags 0x6)");
  }

  private static SocketDevice device(Loopback pair) {
    return new SocketDevice(
        pair.net,
        0,
        InetAddress.ofLiteral("127.0.0.1"),
        pair.net.getProperties(0),
        StreamCount.ONE);
  }

  private static SocketOptions options(int flags) {
    return SocketOptions.read(
        Settings.of(Map.of("NITINOL_SOCKET_TLS", flags == Hello.TLS ? "1" : "0")));
  }
}
