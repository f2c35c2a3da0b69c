// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.samples.memory.MemoryCollNet;
import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import org.junit.jupiter.api.Tag;

/** The reference plugin keeps the contract, as a network and as one that reduces. */
@Tag(Thorough.TAG)
class SampleMemoryConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(
        MemoryNet.class, MemoryCollNet.class, MemoryNet12.class, MemoryCollNet12.class);
  }

  @Override
  protected KitOptions options() {
    return QuickLanes.of(super.options(), "net v12", "collnet v12");
  }
}
