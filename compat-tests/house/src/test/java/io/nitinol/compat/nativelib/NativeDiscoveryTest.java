// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discovery finds native libraries where NCCL_NET_PLUGIN and NITINOL_PLUGIN_PATH lead. */
class NativeDiscoveryTest {
  @TempDir Path directory;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final DebugLogger log =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return level == LogLevel.WARN || level == LogLevel.INFO;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {
          lines.add(level + " " + message);
        }
      };

  private List<PluginDescription> nets(Map<String, String> variables) {
    return PluginCatalog.discover(Settings.of(variables), log).describe().stream()
        .filter(plugin -> plugin.kind() == PluginKind.NET)
        .toList();
  }

  @Test
  void aPathIsOpenedAndShownWithItsStruct() {
    Path library = CPlugin.compile("loopback", directory.resolve("any-name.so"));
    PluginCatalog catalog =
        PluginCatalog.discover(Settings.of(Map.of("NCCL_NET_PLUGIN", library.toString())), log);
    PluginDescription first = catalog.describe().getFirst();
    assertThat(first.name()).isEqualTo("Loopback");
    assertThat(first.origin().location()).isEqualTo(library.toString());
    assertThat(first.providerClass()).isEqualTo("ncclNetPlugin_v" + first.version());
    assertThat(first.versions()).startsWith(4, 5, 6);
    SelectedNet chosen = NetSelection.select(catalog, Settings.of(Map.of()), log, null);
    assertThat(chosen.name()).isEqualTo("Loopback");
    assertThat(lines).anyMatch(line -> line.contains("NET/Loopback : started as version"));
  }

  @Test
  void aLibraryLiesAmongTheJars() {
    Path library = CPlugin.compile("loopback", directory.resolve("libx.so"), "-DONLY=3");
    PluginDescription first = nets(Map.of("NITINOL_PLUGIN_PATH", directory.toString())).getFirst();
    assertThat(first.origin().location()).isEqualTo(library.toString());
    assertThat(first.versions()).as("version 3 passes for 4").containsExactly(4);
    assertThat(first.providerClass()).isEqualTo("ncclNetPlugin_v3");
  }

  @Test
  void whatCannotBeLoadedIsToldAndNothingElseHappens() {
    List<PluginDescription> nets =
        nets(Map.of("NCCL_NET_PLUGIN", directory.resolve("absent.so") + ",nobody,Socket"));
    assertThat(nets.getFirst().name()).isIn("IB", "Socket");
    assertThat(nets)
        .filteredOn(plugin -> plugin.state() == PluginState.REJECTED)
        .extracting(PluginDescription::reason)
        .hasSize(3)
        .anySatisfy(reason -> assertThat(reason).contains("absent.so", "cannot open"))
        .anySatisfy(
            reason -> assertThat(reason).contains("nobody", "libnccl-net-nobody.so: cannot open"))
        .anySatisfy(reason -> assertThat(reason).contains("is built in"));
  }

  @Test
  void withNothingSetTheDefaultLibraryIsMissedInSilence() {
    assertThat(nets(Map.of())).noneMatch(plugin -> plugin.state() == PluginState.REJECTED);
    assertThat(lines)
        .filteredOn(line -> line.contains("libnccl-net.so"))
        .allMatch(line -> line.startsWith("INFO"));
    lines.clear();
    nets(Map.of("NCCL_NET_PLUGIN", "none"));
    assertThat(lines).noneMatch(line -> line.contains("libnccl-net"));
  }
}
