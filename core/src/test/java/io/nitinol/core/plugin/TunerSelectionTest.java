// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TunerSelectionTest extends PluginDirectory {
  private int catalogs;

  @Test
  void theOnlyOneIsTakenWithoutBeingNamed() {
    assertThat(name(select("", "Quick"))).isEqualTo("Quick");
    assertThat(select("")).isNull();
    assertThat(log.lines()).noneMatch(line -> line.contains("several tuners"));
  }

  @Test
  void ofSeveralNoneIsTakenUnlessItIsNamed() {
    assertThat(select("", "Quick", "Calm")).isNull();
    assertThat(log.lines())
        .anyMatch(line ->
            line.startsWith("WARN")
                && line.contains("several tuners (Quick, Calm)")
                && line.contains("NCCL_TUNER_PLUGIN"));
    assertThat(name(select("cALM", "Quick", "Calm"))).isEqualTo("Calm");
  }

  @Test
  void noneIsNone() {
    assertThat(select("none", "Quick")).isNull();
    assertThat(select("None", "Quick", "Calm")).isNull();
    assertThat(log.lines()).noneMatch(line -> line.contains("several tuners"));
  }

  @Test
  void aWrongNameIsAnErrorThatListsWhatThereIs() {
    assertThatThrownBy(() -> select("Quik", "Quick", "Calm"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("NCCL_TUNER_PLUGIN=Quik")
        .hasMessageContaining("did you mean Quick")
        .hasMessageContaining("Calm from");
    assertThatThrownBy(() -> select("Quick"))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("NITINOL_PLUGIN_PATH");
  }

  @Test
  void thePreviewSaysWhyNot() {
    PluginCatalog two = catalog("Quick", "Calm");
    assertThat(TunerSelection.preview(two, variable("calm"), null))
        .extracting(PluginDescription::name, PluginDescription::state)
        .containsExactly(tuple("Quick", PluginState.NOT_CHOSEN), tuple("Calm", PluginState.CHOSEN));
    assertThat(TunerSelection.preview(two, variable(""), null))
        .allMatch(tuner -> tuner.state() == PluginState.NOT_CHOSEN)
        .allMatch(tuner -> String.valueOf(tuner.reason()).contains("several tuners"));
    assertThat(TunerSelection.preview(catalog("Quick"), variable("none"), null).getFirst().reason())
        .contains("NCCL_TUNER_PLUGIN=none");
  }

  @Test
  void aJarInThePluginPathIsFound() {
    jar().plugin(PluginClass.tuner("p.Rings", "Rings")).write(plugins.resolve("rings.jar"));
    PluginDescription found = only(discover());
    assertThat(found.kind()).isEqualTo(PluginKind.TUNER);
    assertThat(found.name()).isEqualTo("Rings");
    assertThat(found.state()).isEqualTo(PluginState.FOUND);
    assertThat(log.lines())
        .anyMatch(line -> line.startsWith("INFO NET/Plugin: found tuner plugin Rings"));
  }

  private @Nullable Tuner select(String variable, String... names) {
    return TunerSelection.select(catalog(names), variable(variable), log, null);
  }

  private static @Nullable String name(@Nullable Tuner tuner) {
    return tuner == null ? null : tuner.name();
  }

  private static Settings variable(String value) {
    return Settings.of(Map.of("NCCL_TUNER_PLUGIN", value));
  }

  /** Makes a catalog of tuners, each in a jar of its own, in this order. */
  private PluginCatalog catalog(String... names) {
    plugins = directory.resolve("plugins" + catalogs++);
    for (int i = 0; i < names.length; i++) {
      jar()
          .plugin(PluginClass.tuner("p.Tuner" + i, names[i]))
          .write(plugins.resolve("tuner" + i + ".jar"));
    }
    return PluginCatalog.discover(
        Environment.of(Map.of("NITINOL_PLUGIN_PATH", plugins.toString())), log);
  }
}
