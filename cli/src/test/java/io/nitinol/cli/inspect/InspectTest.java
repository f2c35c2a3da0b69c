// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.VariableTable;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginOrigin;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.plugin.SelectionPreview;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InspectTest {
  private static final NetProperties DEVICE =
      new NetProperties(
          "eth0",
          null,
          1,
          1,
          false,
          false,
          10_000,
          0,
          0,
          1,
          1,
          NetDeviceType.HOST,
          0,
          VirtualDevice.physical(0),
          1L << 30,
          1L << 30,
          1,
          NetProperties.ID_UNDEFINED,
          NetProperties.ID_UNDEFINED);

  @Test
  void alignsColumns() {
    TextTable table = new TextTable("A", "LONGER", "C");
    table.row("wide one", "x", "");
    table.note("a note");
    table.row("", "y", "z");
    assertThat(table.lines())
        .containsExactly("A         LONGER  C", "wide one  x", "    a note", "          y       z");
  }

  @Test
  void showsPluginsAndTheChoice() {
    SelectionPreview preview =
        new SelectionPreview(
            List.of(
                plugin(
                    "Old", List.of(4), 4, List.of("v4->v5", "v11->v12"), PluginState.CHOSEN, null),
                plugin(
                    "Socket", List.of(5, 6), 6, List.of(), PluginState.NOT_CHOSEN, "Old is first"),
                new PluginDescription(
                    PluginKind.NET,
                    "bad.jar",
                    List.of(),
                    0,
                    List.of(),
                    null,
                    new PluginOrigin(false, null, "/p/bad.jar"),
                    PluginState.REJECTED,
                    "not a jar",
                    List.of())),
            null);
    assertThat(PluginsCommand.text(preview))
        .containsExactly(
            "KIND  NAME     OFFERS  TAKEN        STATE       DEVICES",
            "net   Old      v4      v4 (as v12)  chosen      eth0",
            "    from module m (/p/m.jar)",
            "net   Socket   v5,v6   v6           not chosen  eth0",
            "    from module m (/p/m.jar)",
            "    not chosen: Old is first",
            "net   bad.jar                       rejected",
            "    from /p/bad.jar",
            "    rejected: not a jar",
            "",
            "Chosen: net Old");
  }

  @Test
  void showsWhyNothingIsChosen() {
    assertThat(PluginsCommand.text(new SelectionPreview(List.of(), "nothing works")))
        .endsWith("", "nothing works");
  }

  @Test
  void namesVariablesThatNothingReads() {
    VariableCatalog catalog =
        new VariableCatalog() {
          @Override
          public String owner() {
            return "test";
          }

          @Override
          public List<Variable<?>> variables() {
            return List.of(
                Variable.text("NCCL_NET", "a name", "", "m"),
                Variable.text("NCCL_SOCKET_IFNAME", "names", "", "m"));
          }
        };
    Settings settings =
        Settings.of(
            Map.of("NCCL_NET", "x", "NCCL_SOKCET_IFNAME", "eth0", "NITINOL_ZZZZZZZZZZZZ", "1"));
    assertThat(EnvCommand.unread(new VariableTable(List.of(catalog)), settings))
        .containsExactly(
            "NCCL_SOKCET_IFNAME=eth0 is not read by anything; did you mean NCCL_SOCKET_IFNAME?",
            "NITINOL_ZZZZZZZZZZZZ=1 is not read by anything");
  }

  private static PluginDescription plugin(
      String name,
      List<Integer> versions,
      int version,
      List<String> adapters,
      PluginState state,
      String reason) {
    return new PluginDescription(
        PluginKind.NET,
        name,
        versions,
        version,
        adapters,
        "c",
        new PluginOrigin(true, "m", "/p/m.jar"),
        state,
        reason,
        List.of(DEVICE));
  }
}
