// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.result.Outcome;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Device providers are found and tested as networks are. */
class DeviceProvidersTest {

  /** {@code CpuTwinConformanceTest} runs the kit on it in each build. */
  @Thorough
  @Test
  void aRightProviderBreaksNoRule() {
    PluginUnderTest twin = PluginUnderTest.named("CPU");
    KitReport report = Kit.run(twin, KitOptions.quick().withoutProcesses(), new KitListener() {});
    assertThat(report.cases()).filteredOn(result -> result.broken() != null).isEmpty();
    assertThat(report.count(Outcome.PASSED)).isGreaterThan(95);
  }

  @Test
  void aProviderIsFoundByItsNameHereAndInAnotherProcess() {
    PluginUnderTest twin = PluginUnderTest.named("CPU");
    assertThat(twin.lanes()).extracting(Lane::label).containsExactly("device v1");
    PluginUnderTest again = PluginUnderTest.ofReference(twin.reference());
    assertThat(again.name()).isEqualTo("cpu");
    assertThat(again.lanes()).isEqualTo(twin.lanes());
  }

  /** A provider whose driver is not there. */
  public static final class WithoutDriver implements DeviceProvider {
    /** Does nothing. */
    public WithoutDriver() {}

    @Override
    public String name() {
      return "absent";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public @Nullable String unavailable() {
      return "the driver libabsent.so.1 is not installed";
    }

    @Override
    public PointerType memoryType() {
      return PointerType.CUDA;
    }

    @Override
    public List<Device> devices() {
      return List.of();
    }

    @Override
    public int memoryHandleSize() {
      return 0;
    }

    @Override
    public @Nullable MemoryRange find(long address) {
      return null;
    }
  }

  @Test
  void aProviderThatIsUnavailableIsSkippedWithItsReason() {
    KitReport report =
        Kit.run(
            PluginUnderTest.of(WithoutDriver.class),
            KitOptions.quick().withoutProcesses(),
            new KitListener() {});
    assertThat(report.brokenRules()).isEmpty();
    assertThat(report.cases())
        .filteredOn(result -> result.rule().equals("DEVSTREAM-01"))
        .isNotEmpty()
        .allSatisfy(result -> {
          assertThat(result.outcome()).isEqualTo(Outcome.SKIPPED);
          assertThat(result.why()).isEqualTo("the driver libabsent.so.1 is not installed");
        });
    assertThat(report.cases())
        .filteredOn(result -> Set.of("DEV-02", "DEV-03", "DEV-04").contains(result.rule()))
        .isNotEmpty()
        .allSatisfy(result -> assertThat(result.outcome()).isEqualTo(Outcome.PASSED));
  }
}
