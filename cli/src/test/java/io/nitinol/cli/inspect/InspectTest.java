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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

  private static final VariableCatalog CATALOG =
      new VariableCatalog() {
        @Override
        public String owner() {
          return "test";
        }

        @Override
        public List<Variable<?>> variables() {
          return List.of(
              Variable.text("NCCL_NET", "a name", "", "Which network carries the data."),
              Variable.text("NCCL_SOCKET_IFNAME", "names", "", "Which interfaces."),
              Variable.integer("NITINOL_LIMIT", 0, 9, 3, "How many."));
        }
      };

  private static EnvSelection selection(Settings settings, boolean onlySet, String... parts) {
    return new EnvSelection(new VariableTable(List.of(CATALOG)), settings, List.of(parts), onlySet);
  }

  @Test
  void envShowsValuesAndWhereTheyComeFrom() {
    Settings settings = Settings.of(Map.of("NCCL_NET", "Socket", "NITINOL_LIMIT", "many"));
    assertThat(EnvCommand.text(selection(settings, false), 0))
        .containsExactly(
            "# test",
            "NCCL_NET=Socket  (from the application)",
            "    Which network carries the data.",
            "    a name; default not set",
            "NCCL_SOCKET_IFNAME  (not set)",
            "    Which interfaces.",
            "    names; default not set",
            "NITINOL_LIMIT=3  (default: the text from the application is not understood)",
            "    How many.",
            "    a whole number from 0 to 9; default 3");
    assertThat(EnvCommand.text(selection(Settings.of(Map.of()), false, "LIMIT"), 0))
        .contains("NITINOL_LIMIT=3  (default)");
  }

  @Test
  void envBreaksLinesAtTheWidthOfTheTerminal() {
    Settings settings = Settings.of(Map.of("NCCL_NET", "a-name-longer-than-the-terminal"));
    assertThat(EnvCommand.text(selection(settings, true), 24))
        .containsExactly(
            "# test",
            "NCCL_NET=a-name-longer-than-the-terminal  (from the application)",
            "    Which network",
            "    carries the data.",
            "    a name; default not",
            "    set");
  }

  @Test
  void envShowsOnlyWhatIsAskedFor() {
    Settings settings = Settings.of(Map.of("NCCL_NET", "x", "NCCL_NETT", "y", "NITINOL_X", "1"));
    assertThat(EnvCommand.text(selection(settings, false, "socket"), 0))
        .containsExactly(
            "# test",
            "NCCL_SOCKET_IFNAME  (not set)",
            "    Which interfaces.",
            "    names; default not set");
    assertThat(EnvCommand.text(selection(settings, true, "SOCKET"), 0)).isEmpty();
    assertThat(selection(settings, true, "SOCKET").isEmpty()).isTrue();
    assertThat(selection(settings, true).isEmpty()).isFalse();
    assertThat(EnvCommand.text(selection(settings, true, "NCCL"), 0))
        .filteredOn(line -> !line.startsWith(" "))
        .containsExactly("# test", "NCCL_NET=x  (from the application)");
    assertThat(selection(settings, true, "NCCL").unread()).containsExactly("NCCL_NETT");
    JsonNode root =
        JsonMapper.builder().build().readTree(EnvCommand.json(selection(settings, true, "NCCL")));
    assertThat(root.path("variables").size()).isEqualTo(1);
    assertThat(root.path("variables").get(0).path("set").asBoolean()).isTrue();
    assertThat(root.path("not_read").get(0).path("name").asString()).isEqualTo("NCCL_NETT");
  }

  @Test
  void envSaysThatNoNameHasATextInIt() {
    Settings settings = Settings.of(Map.of("NITINOL_OWN", "1"));
    assertThat(selection(settings, false, "NET", "OWN").mistake()).isNull();
    assertThat(selection(settings, false, "NET", "NCCL_SOCKET_IFNAMES").mistake())
        .isEqualTo(
            "no variable's name contains NCCL_SOCKET_IFNAMES; did you mean NCCL_SOCKET_IFNAME?");
  }

  @Test
  void aPlaceThatSharesItsNameIsShownWhole() {
    PluginOrigin one = new PluginOrigin(false, null, "/a/net.jar");
    PluginOrigin other = new PluginOrigin(false, null, "/b/net.jar");
    PluginPlaces places = PluginPlaces.of(List.of(from(one), from(other), from(one)));
    assertThat(places.name(one)).isEqualTo("/a/net.jar");
    assertThat(places.name(other)).isEqualTo("/b/net.jar");
    assertThat(places.lines()).isEmpty();
  }

  private static PluginDescription from(PluginOrigin origin) {
    return new PluginDescription(
        PluginKind.NET,
        "n",
        List.of(),
        0,
        List.of(),
        null,
        origin,
        PluginState.REJECTED,
        "why",
        List.of());
  }

  @Test
  void aDeviceIsDescribedByAllThatItTells() {
    NetProperties device =
        new NetProperties(
            "mlx5_0",
            "/sys/devices/pci0000:00/0000:00:01.0",
            0xabcL,
            7,
            true,
            true,
            400,
            2,
            1.5f,
            65536,
            8,
            NetDeviceType.HOST,
            0,
            new VirtualDevice(List.of(0, 1)),
            1L << 31,
            1L << 30,
            1,
            (short) 3,
            (short) 4);
    assertThat(DeviceText.of(device))
        .isEqualTo(
            "mlx5_0: 400 Mbit/s, host memory and GPU memory (GPUDirect) and GPU memory by DMA-BUF,"
                + " latency 1.5 us, PCI path /sys/devices/pci0000:00/0000:00:01.0, GUID 0xabc,"
                + " port 2, at most 65536 connections, 8 at once in a receive, messages up to 2 GiB,"
                + " registrations serve all connections, receives into GPU memory are always"
                + " flushed, made of devices [0, 1], rail 3, plane 4");
  }

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
    assertThat(PluginsCommand.text(preview, 0))
        .containsExactly(
            "KIND  NAME     OFFERS  TAKEN        STATE       DEVICES",
            "net   Old      v4      v4 (as v12)  chosen      eth0",
            "    from module m",
            "    eth0: 10 Gbit/s, host memory, no PCI path, GUID 0x1, at most 1 connections, 1 at once"
                + " in a receive, messages up to 1 GiB",
            "net   Socket   v5,v6   v6           not chosen  eth0",
            "    from module m",
            "    not chosen: Old is first",
            "    eth0: 10 Gbit/s, host memory, no PCI path, GUID 0x1, at most 1 connections, 1 at once"
                + " in a receive, messages up to 1 GiB",
            "net   bad.jar                       rejected",
            "    from bad.jar",
            "    rejected: not a jar",
            "",
            "FROM      IS",
            "module m  /p/m.jar",
            "bad.jar   /p/bad.jar",
            "",
            "Chosen: net Old");
  }

  @Test
  void showsWhyNothingIsChosen() {
    assertThat(PluginsCommand.text(new SelectionPreview(List.of(), "nothing works"), 0))
        .endsWith("", "nothing works");
  }

  @Test
  void namesVariablesThatNothingReads() {
    Settings settings =
        Settings.of(
            Map.of("NCCL_NET", "x", "NCCL_SOKCET_IFNAME", "eth0", "NITINOL_ZZZZZZZZZZZZ", "1"));
    assertThat(selection(settings, false).unreadSentences())
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
