// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Right CollNets of old versions break no rule; the newest is among the plugins that ship. */
class CollNetsTest {

  @ParameterizedTest
  @ValueSource(classes = {CollNetV4.class, CollNetV5.class})
  @QuickRows(1)
  @Slow
  void aRightCollNetBreaksNoRule(Class<?> provider) {
    // What needs processes is the same for all versions, and looked at with the newest.
    KitReport report =
        Kit.run(
            PluginUnderTest.of(provider),
            KitOptions.quick().withoutProcesses(),
            new KitListener() {});
    assertThat(report.lanes()).hasSizeGreaterThan(1);
    assertThat(report.count(Outcome.PASSED)).isGreaterThan(50);
    assertThat(report.cases()).filteredOn(result -> result.broken() != null).isEmpty();
  }

  /** A collective network with one device. */
  public static final class OneDevice extends NewestCollNet {
    /** Has the first device of a right one. */
    public OneDevice() {
      super(new MemoryCollNet12());
    }

    @Override
    public int devices() {
      return 1;
    }
  }

  @Test
  void aTestOfTwoDevicesIsSkippedWhereThereIsOne() {
    KitReport report =
        Kit.run(
            PluginUnderTest.of(OneDevice.class),
            KitOptions.quick().withoutProcesses().only(Set.of("COLL-28")),
            new KitListener() {});
    assertThat(report.count(Outcome.SKIPPED)).isPositive();
    assertThat(report.cases())
        .allSatisfy(result -> assertThat(result.outcome()).isEqualTo(Outcome.SKIPPED));
  }
}
