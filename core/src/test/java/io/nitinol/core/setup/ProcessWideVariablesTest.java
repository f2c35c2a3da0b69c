// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a communicator's own settings cannot say, and that it is told so. */
class ProcessWideVariablesTest {
  @TempDir Path directory;
  private final RecordedLog log = new RecordedLog();

  /** A catalog of one plugin, which declares NCCL_CARD and has no card. */
  private PluginCatalog catalog() {
    new PluginJar(directory.resolve("work"))
        .plugin(
            PluginClass.net(6, "p.Card", "Card")
                .init("throw new IllegalStateException(\"no card\");"))
        .provider("io.nitinol.spi.config.VariableCatalog", "p.Table")
        .source(
            "p.Table",
            """
            package p;
            import io.nitinol.spi.config.*;
            public class Table implements VariableCatalog {
              public String owner() { return "card"; }
              public java.util.List<Variable<?>> variables() {
                return java.util.List.of(Variable.text("NCCL_CARD", "a", "", "m"));
              }
            }
            """)
        .write(directory.resolve("plugins/card.jar"));
    return PluginCatalog.discover(
        Settings.of(Map.of("NITINOL_PLUGIN_PATH", directory.resolve("plugins").toString())), log);
  }

  @Test
  void namesWhatPluginsWillNotHear() {
    Map<String, String> given =
        Map.of(
            "NCCL_NET", "Card",
            "NCCL_NET_PLUGIN", "none",
            "NITINOL_PLUGIN_PATH", "/p",
            "NCCL_CARD", "2",
            "NCCL_SOCKET_IFNAME", "lo",
            "NCCL_SOCKET_FAMILY", " ",
            "NITINOL_TIMEOUT", "5");
    PluginCatalog catalog = catalog();
    Settings process = Settings.of(Map.of("NCCL_CARD", "1", "NCCL_SOCKET_IFNAME", "lo"));
    assertThat(ProcessWideVariables.inVain(Settings.of(given), process, catalog, false))
        .containsExactly("NCCL_CARD", "NCCL_NET_PLUGIN", "NITINOL_PLUGIN_PATH");
    assertThat(ProcessWideVariables.inVain(Settings.of(given), process, catalog, true))
        .containsExactly("NCCL_CARD");
    assertThat(ProcessWideVariables.inVain(Settings.of(given), Settings.of(given), catalog, false))
        .isEmpty();
  }

  @Test
  void aCommunicatorTakesThePluginsItIsGivenAndWarnsOnce() {
    Settings settings =
        Settings.of(Map.of("NCCL_NET", "Card", "NCCL_CARD", "2", "NCCL_SOCKET_IFNAME", "lo"));
    CommConfig config =
        CommConfig.standard().withSettings(settings).withLogger(log).withPlugins(catalog());
    UniqueId id = UniqueId.create(settings, log);
    CommException e =
        catchThrowableOfType(CommException.class, () -> Communicator.init(id, 1, 0, config));
    assertThat(e).hasMessageContaining("NCCL_NET=Card").hasMessageContaining("no card");
    assertThat(log.warnings())
        .filteredOn(line -> line.contains("differ from the process's"))
        .singleElement()
        .asString()
        .contains("NCCL_CARD, NCCL_SOCKET_IFNAME;");
  }

  @Test
  void oneThatIsMadeWarnsOnceToo() {
    Settings settings = Settings.of(Map.of("NCCL_CARD", "2", "NCCL_SOCKET_IFNAME", "lo"));
    CommConfig config =
        CommConfig.standard()
            .withSettings(settings)
            .withLogger(log)
            .withNet(new MemoryNet(7))
            .withPlugins(catalog());
    Communicator.initAll(1, config).getFirst().close();
    assertThat(log.warnings())
        .filteredOn(line -> line.contains("differ from the process's"))
        .hasSize(1);
  }
}
