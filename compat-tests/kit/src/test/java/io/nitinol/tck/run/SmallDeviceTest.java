// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.QuickRows;
import io.nitinol.spi.testing.Slow;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.Kit;
import io.nitinol.tck.KitListener;
import io.nitinol.tck.KitOptions;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kit asks no device for longer messages and operations than its properties allow. */
@Slow
class SmallDeviceTest {
  private final SmallDevice before = SmallDevice.current();

  @AfterEach
  void leaveTheDeviceAsItWas() {
    SmallDevice.set(before);
  }

  @ParameterizedTest
  @QuickRows({1, 2})
  @CsvSource({"1003, false", "100, true", "1, false", "4096, false", "8191, false", "12000, true"})
  void aNetworkOfShortMessagesIsAccusedOfNothing(long most, boolean global) {
    SmallDevice.set(new SmallDevice(most, global));
    assertThat(accusations(SmallNet.class, inOneProcess())).isEmpty();
  }

  @ParameterizedTest
  @QuickRows({1, 2})
  @CsvSource({"1003, false", "100, true", "1, false", "4096, false", "8191, false", "12000, true"})
  void aCollNetOfShortOperationsIsAccusedOfNothing(long most, boolean global) {
    SmallDevice.set(new SmallDevice(most, global));
    assertThat(accusations(SmallCollNet.class, inOneProcess())).isEmpty();
  }

  @Thorough
  @ParameterizedTest
  @ValueSource(classes = {SmallNet.class, SmallCollNet.class})
  void noneIsAccusedBetweenProcesses(Class<?> plugin) {
    assertThat(accusations(plugin, KitOptions.quick().withSeed(1))).isEmpty();
  }

  private static KitOptions inOneProcess() {
    return KitOptions.quick().withSeed(1).withoutProcesses();
  }

  private static List<String> accusations(Class<?> plugin, KitOptions options) {
    return Kit.run(PluginUnderTest.of(plugin), options, new KitListener() {}).cases().stream()
        .filter(result -> result.broken() != null)
        .map(SmallDeviceTest::inWords)
        .toList();
  }

  private static String inWords(CaseResult result) {
    return "%s %s: %s".formatted(result.broken(), result.test(), result.why());
  }
}
