// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BadNetworkTest {
  private static final Pattern COUNTS =
      Pattern.compile("packets (\\d+) lost (\\d+) reordered (\\d+) overflown 0");

  private static BadNetwork loop(double delayMillis, double loss, double reorder) throws Exception {
    try {
      return BadNetwork.loop(
          new BadNetwork.Conditions(
              Duration.ofNanos((long) (delayMillis * 1e6)), loss, reorder, 42));
    } catch (Unavailable e) {
      System.err.println("no bad network here: " + e.getMessage());
      return abort(e.getMessage());
    }
  }

  private static double roundTrip(BadNetwork network, String address) throws Exception {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            Path.of(Greeter.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString(),
            Greeter.class.getName(),
            address);
    StringBuilder line = new StringBuilder();
    java.forEach(word -> line.append(" '").append(word).append("'"));
    return Double.parseDouble(network.near().run("exec" + line).strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.99.0.1", "fd99::1"})
  void packetsOfAHostToItselfAreDelayed(String address) throws Exception {
    try (BadNetwork network = loop(20, 0, 0)) {
      assertThat(roundTrip(network, address)).isBetween(40.0, 80.0);
      Matcher counts = counts(network.end());
      assertThat(Integer.parseInt(counts.group(1))).isGreaterThan(20);
      assertThat(counts.group(2)).isEqualTo("0");
    }
  }

  @Test
  void someAreLostAndSomeAreAhead() throws Exception {
    try (BadNetwork network = loop(1, 0.1, 0.3)) {
      assertThat(roundTrip(network, "10.99.0.1")).isPositive();
      Matcher counts = counts(network.end());
      assertThat(Integer.parseInt(counts.group(2))).isPositive();
      assertThat(Integer.parseInt(counts.group(3))).isPositive();
    }
  }

  @Test
  void aHostBehindATranslatingRouterConnectsAndIsNotReached() throws Exception {
    try (BadNetwork network = BadNetwork.translating()) {
      Courier.carry(network.far(), network.near(), network.address(network.near()));
      for (String address : List.of(network.address(network.far()), "192.168.99.2")) {
        assertThatThrownBy(() ->
                network.near().run("timeout 1 bash -c 'exec 3<>/dev/tcp/%s/9'".formatted(address)))
            .isInstanceOf(IOException.class);
      }
      // Not refused: lost on the way.
      assertThat(Integer.parseInt(counts(network.end()).group(2))).isPositive();
    } catch (Unavailable e) {
      System.err.println("no bad network here: " + e.getMessage());
      abort(e.getMessage());
    }
  }

  private static Matcher counts(String line) {
    Matcher counts = COUNTS.matcher(line);
    assertThat(counts.matches()).as(line).isTrue();
    return counts;
  }
}
