// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.finder.v1.NetFinder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What core selects where {@code NITINOL_VALIDATE} is set and this module is there. */
class ValidatedSelectionTest {
  @TempDir Path directory;
  private final RecordedLog log = new RecordedLog();
  private final Map<String, String> variables = new HashMap<>();

  private SelectedNet select(PluginCatalog catalog) {
    return NetSelection.select(catalog, Settings.of(variables), log, null);
  }

  @Test
  void callsAreCheckedOnlyWhereThatIsAskedFor() {
    Path jar =
        new PluginJar(directory.resolve("work"))
            .plugin(PluginClass.net(12, "p.A", "Alpha"))
            .plugin(PluginClass.collNet(12, "p.AC", "Coll"))
            .write(directory.resolve("a.jar"));
    variables.put("NITINOL_PLUGIN_PATH", jar.toString());
    variables.put("NCCL_NET", "Alpha");
    PluginCatalog catalog = PluginCatalog.discover(Settings.of(variables), log);
    SelectedNet plain = select(catalog);
    assertThat(plain.net().getClass().getName()).isEqualTo("p.A");
    assertThat(plain.collNet().getClass().getName()).isEqualTo("p.AC");

    variables.put("NITINOL_VALIDATE", "1");
    SelectedNet checked = select(catalog);
    assertThat(checked.net()).isInstanceOf(ValidatingNet.class);
    assertThat(checked.collNet()).isInstanceOf(ValidatingCollNet.class);
    assertThat(checked.net().name()).isEqualTo("Alpha");
    assertThat(checked.net().devices()).isEqualTo(plain.deviceCount());
    assertThat(checked.collNet().getProperties(0)).isEqualTo(plain.collNet().getProperties(0));
    assertThat(((ValidatingNet) checked.net()).violations().total()).isZero();
    SelectedNet again = select(catalog);
    assertThat(again.net()).as("one for all communicators").isSameAs(checked.net());
    assertThat(again.collNet()).isSameAs(checked.collNet());
    variables.put("NITINOL_VALIDATE", "2");
    assertThat(select(catalog).net()).isInstanceOf(ValidatingNet.class).isNotSameAs(checked.net());
    assertThat(log.lines())
        .anyMatch(l -> l.contains("NITINOL_VALIDATE=2: calls are checked") && l.contains("fails"));
  }

  @Test
  void callsAreCheckedOfANetworkThatAnotherPluginRidesOn() {
    assertThat(System.getenv("NITINOL_VALIDATE")).as("set by the build").isEqualTo("2");
    FoundNet found = NetFinder.ofProgram().find("SampleMemory");
    assertThat(found.net()).isInstanceOf(ValidatingNet.class);
  }
}
