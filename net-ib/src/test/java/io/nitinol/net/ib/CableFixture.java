// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests begin and end with of which each has a plugin of its own settings. */
abstract class CableFixture {
  final Wire wire = new Wire();
  Cable cable;

  @BeforeEach
  void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
  }

  @AfterEach
  void mend() {
    wire.close();
    if (cable != null) { // where the test was left out, or failed before
      cable.close();
    }
  }
}
