// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import io.nitinol.spi.testing.Thorough;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The tests of the InfiniBand plugin that need devices, in a guest that has some. */
@Thorough
@Timeout(7200)
class VerbsTest {
  private static final Duration LIMIT = Duration.ofSeconds(300);
  private static final int MTU = 4200;

  @TestFactory
  List<DynamicNode> testsThatNeedDevices() throws Exception {
    GuestRun run =
        Guests.runWithoutCrash(
            VerbsTest.class,
            "net-ib",
            MTU,
            LIMIT,
            List.of(
                JUnitBatch.ofTag(
                    "tests",
                    System.getProperty("nitinol.test.path"),
                    "io.nitinol.net.ib",
                    "rdma",
                    LIMIT)));
    return JUnitBatch.report(run.result("tests"));
  }
}
