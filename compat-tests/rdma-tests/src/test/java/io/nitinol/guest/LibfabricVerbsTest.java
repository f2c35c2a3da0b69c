// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The conformance kit on the libfabric plugin over {@code verbs;ofi_rxm}, from a device of the
 * guest to itself: all rules of messages, memory, threads, errors and closing. {@code
 * LibfabricKitTest} of {@code compat-tests/house} asks all rules over providers without hardware.
 */
@Thorough
@Timeout(4000)
class LibfabricVerbsTest {
  private static final int MTU = 4200;
  private static final Duration LIMIT = Duration.ofSeconds(3000);
  private static final int FEWEST = 60;

  private static final Pattern ASKED =
      Pattern.compile("NET-(?:SEND|RECV|TEST|FLUSH|REG|MEM|THREAD|ERR|CLOSE)-\\d+|NET-CONN-09");

  /**
   * A thousand connections one after the other, each of which takes the emulation a third of a
   * second, and tests that send ten thousand messages, as that of NET-SEND-08 does, too.
   */
  private static final Pattern TOO_LONG = Pattern.compile("NET-CLOSE-08|NET-RECV-04|NET-MEM-04");

  private static final Pattern KEPT =
      Pattern.compile("libfabric conforms to the contract: (\\d+) rules");

  private static GuestCommand kit(List<String> rules) {
    String plugin =
        Stream.of(System.getProperty("nitinol.test.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.contains("net-libfabric"))
            .findFirst()
            .orElseThrow();
    Map<String, String> variables =
        Map.of(
            "NCCL_SOCKET_IFNAME", "=lo",
            "NITINOL_OFI_PROVIDER", "verbs",
            "NITINOL_OFI_DOMAIN", "rxe0",
            // A first connect takes seconds on two emulated processors.
            "NITINOL_OFI_CONNECT_MSEC", "120000");
    return NitinolCommand.of(
        "kit",
        LIMIT,
        variables,
        "tck",
        plugin,
        "--quick",
        "--patience",
        "40",
        "--rule",
        String.join(",", rules));
  }

  @Test
  void thePluginConformsOverVerbs() throws Exception {
    Predicate<String> asked = ASKED.asMatchPredicate().and(TOO_LONG.asMatchPredicate().negate());
    System.err.printf(
        "LibfabricVerbsTest: not asked here, as the provider has no part in them or they take too"
            + " long: %s%n",
        String.join(" ", Guests.rules(asked)));
    GuestRun run =
        Guests.withoutCrash(
            Guests.runKit(
                LibfabricVerbsTest.class,
                "verbs",
                MTU,
                LIMIT.plusSeconds(300),
                List.of(kit(Guests.rules(asked.negate())))));
    GuestResult result = run.result("kit");
    System.err.printf("LibfabricVerbsTest: %.1f s%n", result.seconds());
    assertThat(result).as("%s", result).returns(0, GuestResult::status);
    assertThat(KEPT.matcher(result.out()).results().map(kept -> Integer.valueOf(kept.group(1))))
        .as("rules kept: %s", result)
        .singleElement()
        .satisfies(kept -> assertThat(kept).isGreaterThanOrEqualTo(FEWEST));
  }
}
