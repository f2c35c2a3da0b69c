// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.net.collnet.SwitchCollNet;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;

/** Reductions in the network, by a switch in the process of rank 0, keep the contract. */
class SwitchConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(SwitchCollNet.class);
  }
}
