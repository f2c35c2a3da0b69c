// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryCollNet;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.KitReport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Right CollNets of every version break no rule. */
class CollNetsTest {

  @ParameterizedTest
  @ValueSource(classes = {CollNetV4.class, CollNetV5.class, MemoryCollNet.class})
  void aRightCollNetBreaksNoRule(Class<?> provider) {
    KitReport report =
        Kit.run(
            provider == CollNetV4.class
                ? PluginUnderTest.of(provider).withinProcess()
                : PluginUnderTest.of(provider),
            KitOptions.quick(),
            new KitListener() {});
    assertThat(report.cases()).filteredOn(result -> result.broken() != null).isEmpty();
  }
}
