// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Devices of two ports that lose one, in a guest with a second cable: rxe2 at 10.78.0.1 and rxe3 at
 * 10.78.0.2 are on its ends.
 */
@Timeout(180)
class FailoverTest {
  private static final Duration LIMIT = Duration.ofSeconds(150);
  private static final int MTU = 4200;

  private static final String SECOND_CABLE =
      """
      ip link add veth2 type veth peer name veth3
      ip address add 10.78.0.1/24 dev veth2
      ip address add 10.78.0.2/24 dev veth3
      for each in veth2 veth3; do ip link set $each mtu 4200 up; done
      rdma link add rxe2 type rxe netdev veth2
      rdma link add rxe3 type rxe netdev veth3
      ip neighbour replace 10.78.0.2 lladdr $(cat /sys/class/net/veth3/address) dev veth2
      ip neighbour replace 10.78.0.1 lladdr $(cat /sys/class/net/veth2/address) dev veth3
      """;

  @TestFactory
  List<DynamicNode> testsThatNeedTwoCables() throws Exception {
    GuestRun run =
        Guests.runWithoutCrash(
            FailoverTest.class,
            "net-ib",
            MTU,
            LIMIT,
            List.of(
                new GuestCommand("cable", Duration.ofSeconds(20), "sh", "-ec", SECOND_CABLE),
                JUnitBatch.ofTag(
                    "tests",
                    System.getProperty("nitinol.test.path"),
                    "io.nitinol.net.ib",
                    "two-cables",
                    LIMIT)));
    return JUnitBatch.report(run.result("tests"));
  }
}
