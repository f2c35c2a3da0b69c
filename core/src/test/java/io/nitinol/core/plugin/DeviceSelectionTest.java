// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.nitinol.core.device.FakeDevices;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.DeviceProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceSelectionTest {
  private static final FakeDevices TWIN = new FakeDevices("twin", -1, null);
  private static final FakeDevices CARD = new FakeDevices("card", 10, null);
  private static final FakeDevices ABSENT = new FakeDevices("absent", 20, "there is no driver");

  private final RecordedLog log = new RecordedLog();

  @Test
  void theHighestPriorityThatWorksIsChosen() {
    assertThat(select("", TWIN, CARD, ABSENT)).isSameAs(CARD);
    assertThat(select("", TWIN, ABSENT)).isSameAs(TWIN);
  }

  @Test
  void theVariableNamesOneInAnyCase() {
    assertThat(select("Twin", TWIN, CARD)).isSameAs(TWIN);
  }

  @Test
  void whatIsAskedForAndNotThereIsAnError() {
    assertThatThrownBy(() -> select("tiwn", TWIN, CARD))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("NITINOL_DEVICE=tiwn")
        .hasMessageContaining("is the name of no device provider that was found")
        .hasMessageContaining("twin");
    assertThatThrownBy(() -> select("absent", TWIN, ABSENT))
        .hasMessageContaining("NITINOL_DEVICE=absent")
        .hasMessageContaining("cannot be used")
        .hasMessageContaining("there is no driver");
  }

  @Test
  void whereNoneWorksTheErrorListsThemAll() {
    assertThatThrownBy(() -> select("", ABSENT))
        .hasMessageContaining("no device provider works in this process")
        .hasMessageContaining("absent from")
        .hasMessageContaining("there is no driver")
        .hasMessageContaining("NITINOL_PLUGIN_PATH");
    assertThatThrownBy(() -> select("")).hasMessageContaining("found: none");
  }

  @Test
  void thePreviewSaysWhyNot() {
    List<PluginDescription> all =
        DeviceSelection.preview(catalog(TWIN, CARD, ABSENT), Settings.of(Map.of()));
    assertThat(all)
        .extracting(PluginDescription::name, PluginDescription::state)
        .containsExactly(
            tuple("absent", PluginState.INIT_FAILED),
            tuple("card", PluginState.CHOSEN),
            tuple("twin", PluginState.NOT_CHOSEN));
    assertThat(all.getLast().reason()).isEqualTo("card has the higher priority");
    assertThat(
            DeviceSelection.preview(
                catalog(TWIN, CARD), Settings.of(Map.of("NITINOL_DEVICE", "twin"))))
        .extracting(PluginDescription::name, PluginDescription::state)
        .containsExactly(tuple("card", PluginState.NOT_CHOSEN), tuple("twin", PluginState.CHOSEN));
  }

  private DeviceProvider select(String variable, FakeDevices... fakes) {
    return DeviceSelection.select(
        catalog(fakes), Settings.of(Map.of("NITINOL_DEVICE", variable)), log);
  }

  private PluginCatalog catalog(FakeDevices... fakes) {
    List<Candidate<DeviceProvider>> candidates =
        List.of(fakes).stream()
            .map(fake ->
                MadeCandidate.<DeviceProvider>of(
                    VersionLadder.DEVICE, DeviceProvider.class, fake, fake.name(), "test"))
            .toList();
    return MadeCandidate.catalog(log, candidates);
  }
}
