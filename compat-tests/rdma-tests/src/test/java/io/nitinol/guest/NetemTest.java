// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Thorough;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The conformance kit on the TCP plugin over a bad interface: the guest's kernel delays packets,
 * loses some, lets some overtake others and sends some twice. An emulated processor needs minutes
 * for that, so the kit tests the rules that packets may break; {@code SocketSettingsTest} tests all
 * of them over a network that loses packets in a process.
 */
@Thorough
@Timeout(7200)
class NetemTest {
  private static final Duration LIMIT = Duration.ofSeconds(780);

  /**
   * Without NET-SEND-08 and NET-RECV-04, which send a hundred thousand messages and more: over a
   * bad network they take minutes.
   */
  private static final String RULES =
      "NET-CONN-09,NET-CONN-11,NET-SEND-01,NET-SEND-02,NET-SEND-03,NET-SEND-04,NET-SEND-05,"
          + "NET-SEND-06,NET-SEND-07,NET-SEND-09,NET-SEND-1*,NET-RECV-01,NET-RECV-02,NET-RECV-03,"
          + "NET-RECV-05,NET-RECV-06,NET-RECV-07,NET-RECV-08,NET-RECV-09,NET-RECV-1*,NET-TEST-*,"
          + "NET-CLOSE-02,NET-CLOSE-03,NET-CLOSE-04";

  private static final String CONDITIONS = "delay 5ms loss 1% reorder 5% duplicate 1%";

  @Test
  void theSocketsConformOverABadNetwork() throws Exception {
    Map<String, String> variables = Map.of("NCCL_SOCKET_IFNAME", "=lo");
    List<GuestCommand> commands =
        List.of(
            new GuestCommand(
                "worsen",
                Duration.ofSeconds(10),
                "sh",
                "-c",
                "tc qdisc add dev lo root netem " + CONDITIONS),
            // Patience: a first connect took more than 5 s on two emulated processors.
            NitinolCommand.of(
                "kit", LIMIT, variables, "tck", "socket", "--patience", "40", "--rule", RULES),
            new GuestCommand(
                "packets", Duration.ofSeconds(10), "tc", "-s", "qdisc", "show", "dev", "lo"));
    GuestRun run =
        Guests.withoutCrash(Guests.runKit(NetemTest.class, "sockets", 0, LIMIT, commands));
    assertThat(run.result("worsen")).returns(0, GuestResult::status);
    GuestResult kit = run.result("kit");
    GuestResult packets = run.result("packets");
    System.err.printf("NetemTest: %s; %s%n", kit.last(), packets.out().replaceAll("\\s+", " "));
    assertThat(kit).as("%s", kit.out()).returns(0, GuestResult::status);
    assertThat(kit.last()).contains("Socket conforms to the contract");
    assertThat(packets.out())
        .containsPattern("netem .* delay 5ms +loss 1% duplicate 1% reorder 5%")
        .containsPattern("dropped [1-9]");
  }
}
