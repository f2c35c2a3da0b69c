// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.samples.cpu.CpuDeviceProvider;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;

/** The CPU twin keeps the rules for device providers. */
class CpuTwinConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(CpuDeviceProvider.class);
  }
}
