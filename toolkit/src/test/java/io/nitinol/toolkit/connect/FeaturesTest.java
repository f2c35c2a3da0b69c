// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static io.nitinol.spi.testing.Failures.awaitBothFailures;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What both sides have to agree about, and how they learn that they do not. */
class FeaturesTest {

  @ParameterizedTest
  @CsvSource({"0,1", "1,0"})
  void differingWishesAreNamedOnBothSides(int connecting, int listening) {
    try (Pair pair = new Pair(features(listening)).listening()) {
      Connector<Proven> connector = new Connector<>(Pair.options(features(connecting)), pair.log);
      NetException[] failures =
          awaitBothFailures(
              () ->
                  assertThat(connector.connect(pair.here, pair.handle, Pair.Nothing::new)).isNull(),
              () -> assertThat(pair.accept()).isNull());
      assertDisagrees(failures[0], connecting == 0);
      assertDisagrees(failures[1], listening == 0);
      assertThat(connector.underWay()).isZero();
      // It is a matter of that one peer: another one is let in.
      pair.works();
    }
  }

  private static void assertDisagrees(NetException failure, boolean thisSideIsPlain) {
    assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
    assertThat(failure)
        .hasMessageContaining("TEST_SECRECY has to be the same on all ranks")
        .hasMessageContaining("peer 127.0.0.1:")
        .hasMessageContaining(
            thisSideIsPlain
                ? "wants its connections encrypted and this side wants them plain"
                : "wants its connections plain and this side wants them encrypted");
  }

  @Test
  void whatThisVersionDoesNotKnowIsNamedByItsNumber() {
    assertThat(Features.NONE.differ("peer x", 6))
        .hasMessageContaining("unknown features (flags 0x6)")
        .hasMessageContaining("the version of the network plugin has to be the same");
  }

  private static Features features(int flags) {
    return new Features(flags, "TEST_SECRECY", each -> each == 1 ? "encrypted" : "plain");
  }
}
