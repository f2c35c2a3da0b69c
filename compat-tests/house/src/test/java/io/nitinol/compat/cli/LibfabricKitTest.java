// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The conformance kit on the libfabric plugin, over providers that need no hardware. By the
 * command, since the environment chooses the provider.
 */
@Timeout(900)
class LibfabricKitTest {
  private static final String LIBRARY = "libfabric.so.1";

  /**
   * Those of a thousand connections, for which libfabric needs minutes of processor time, and of as
   * many side by side as the plugin promises, of which each waits for all others.
   */
  private static final Set<String> MANY_CONNECTIONS = Set.of("NET-CLOSE-08", "NET-DEV-09");

  /**
   * With the usual limit the kit waits three times 50 s for connections that cannot come about. A
   * shorter one has to do for the connections side by side. For 40 it is 2 s on an idle machine,
   * and more than 15 s on two processors at a load of 15 and more.
   */
  private static final String CONNECT_MSEC = "40000";

  /** The rules that a run asks, by the connections that their tests make. */
  private enum Connections {
    FEW,
    MANY,
    ALL
  }

  @ParameterizedTest
  @QuickRows(1)
  @CsvSource({"tcp, FEW", "tcp, MANY", "udp;ofi_rxd, ALL"})
  @Slow
  void thePluginConforms(String provider, Connections connections) throws Exception {
    assumeTrue(isHere(), LIBRARY + " is not here (Debian: libfabric1)");
    String libfabric =
        Stream.of(System.getProperty("nitinol.samples.path").split(":", -1))
            .filter(path -> path.contains("net-libfabric"))
            .findFirst()
            .orElseThrow();
    Map<String, String> variables =
        Map.of("NITINOL_OFI_PROVIDER", provider, "NITINOL_OFI_CONNECT_MSEC", CONNECT_MSEC);
    List<String> words = new ArrayList<>(List.of("tck", libfabric, "--quick"));
    switch (connections) {
      case FEW -> words.addAll(List.of("--rule", rulesOfFewConnections()));
      case MANY -> words.addAll(List.of("--rule", String.join(",", MANY_CONNECTIONS)));
      case ALL -> {}
    }
    try (CommandProcess tck = CommandProcess.start(variables, words.toArray(String[]::new))) {
      assertThat(tck.exit(CommandProcess.KIT_LIMIT)).as("%s", tck).isZero();
      assertThat(tck.out()).contains("libfabric conforms to the contract");
    }
  }

  private static String rulesOfFewConnections() {
    return Spec.current().rules().stream()
        .filter(rule -> rule.binds().equals("plugin") && rule.isTestable())
        .map(SpecRule::id)
        .filter(id -> !MANY_CONNECTIONS.contains(id))
        .collect(Collectors.joining(","));
  }

  private static boolean isHere() {
    try (Arena arena = Arena.ofConfined()) {
      return SymbolLookup.libraryLookup(LIBRARY, arena).find("fi_version").isPresent();
    } catch (IllegalArgumentException e) {
      return false; // the linker's word for a library that it does not find
    }
  }
}
