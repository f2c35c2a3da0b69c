// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.samples.netv4.SampleV4;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.junit.ConformanceTest;
import io.nitinol.tck.plugin.PluginUnderTest;
import org.junit.jupiter.api.Tag;

/** The sample of version 4 keeps the contract, as it is and behind each adapter. */
@Tag(Thorough.TAG)
@Slow
class SampleV4ConformanceTest extends ConformanceTest {

  @Override
  protected PluginUnderTest plugin() {
    return PluginUnderTest.of(SampleV4.class);
  }

  @Override
  protected KitOptions options() {
    return QuickLanes.of(super.options(), "net v4->v12");
  }
}
