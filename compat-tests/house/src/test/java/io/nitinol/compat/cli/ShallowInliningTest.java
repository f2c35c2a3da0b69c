// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Slow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The TCP plugin allocates nothing although C2 inlines no deeper than a call into the C library
 * needs. With the usual 15 levels a plugin that relies on more has them or not, depending on the
 * order in which methods were compiled, and so on what else the machine did at that time.
 */
@Timeout(900)
@Slow
class ShallowInliningTest {
  private static final String LEVELS = "-XX:MaxInlineLevel=9";

  @Test
  void theTcpPluginAllocatesNothing() throws Exception {
    List<String> arguments =
        List.of("tck", "socket", "--quick", "--rule", "NET-MEM-03", "--lane", "net v12");
    try (CommandProcess tck =
        CommandProcess.startBy(ShallowInliningTest::shallow, Map.of(), arguments)) {
      assertThat(tck.exit(CommandProcess.KIT_LIMIT)).as("%s", tck).isZero();
      assertThat(tck.out()).contains("Socket conforms to the contract: 1 rules kept");
    }
  }

  /** With native access, since without it connections make no calls into the C library. */
  private static List<String> shallow(List<String> command) {
    Stream<String> options =
        command.stream()
            .skip(1)
            .filter(each -> !each.startsWith("-XX:TieredStopAtLevel"))
            .map(each ->
                each.startsWith("--enable-native-access=")
                    ? each + ",io.nitinol.net.socket"
                    : each);
    return Stream.concat(Stream.of(command.getFirst(), LEVELS), options).toList();
  }
}
