// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.tck.plugin.PluginUnderTest;

/** The reference plugin keeps every rule. */
class SampleMemoryConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(MemoryNet.class);
  }
}
