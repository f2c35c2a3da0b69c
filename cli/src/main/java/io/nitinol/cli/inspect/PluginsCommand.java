// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.cli.command.SettingsReport;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.cli.launch.ContainedCommand;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.plugin.SelectionPreview;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.NetProperties;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code nitinol plugins}: what was found, and what would be chosen. */
@Command(
    name = "plugins",
    header = "Show the plugins and which ones would be chosen.",
    description = {
      "",
      "Shows the network plugins that were found, in the order in which they are tried, which one"
          + " the variables choose, and why not the others; the kernels that reduce host memory, and"
          + " the tuner of algorithms. To find out, it initializes every plugin.",
      ""
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:a network would be chosen",
      "3:none can be used, or a plugin ended the process"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  nitinol plugins",
      "  NITINOL_PLUGIN_PATH=/opt/plugins NCCL_NET=Memory nitinol plugins   # found? chosen?",
      "  nitinol plugins --json"
    })
public final class PluginsCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** Made by picocli. */
  public PluginsCommand() {}

  @Override
  public Integer call() {
    SettingsReport.refuse();
    if (ContainedCommand.isNeeded()) {
      return new ContainedCommand(spec, ExitStatus.TRANSPORT).run();
    }
    SelectionPreview preview =
        NetSelection.preview(PluginCatalog.process(), Settings.process(), null);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(json(preview));
    } else {
      text(preview, UserTerminal.columns()).forEach(out::println);
    }
    out.flush();
    return preview.failure() == null ? ExitStatus.OK : ExitStatus.TRANSPORT;
  }

  /**
   * Returns the plugins for a person.
   *
   * @param columns how wide the lines on devices may be; 0 for no bound
   */
  static List<String> text(SelectionPreview preview, int columns) {
    PluginPlaces places = PluginPlaces.of(preview.plugins());
    TextTable table = new TextTable("KIND", "NAME", "OFFERS", "TAKEN", "STATE", "DEVICES");
    for (PluginDescription plugin : preview.plugins()) {
      table.row(
          plugin.kind().label(),
          plugin.name(),
          plugin.versions().stream().map(v -> "v" + v).collect(Collectors.joining(",")),
          taken(plugin),
          plugin.state().label(),
          plugin.devices().stream().map(NetProperties::name).collect(Collectors.joining(",")));
      table.note("from " + places.name(plugin.origin()) + exportedAs(plugin));
      if (plugin.reason() != null && !plugin.reason().isEmpty()) {
        table.note(plugin.outcome());
      }
      for (NetProperties device : plugin.devices()) {
        UserTerminal.wrapped(DeviceText.of(device), columns - TextTable.NOTE.length())
            .forEach(table::note);
      }
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.addAll(places.lines());
    lines.add(verdict(preview));
    return lines;
  }

  /**
   * Returns the symbol of a native plugin; versions of NCCL's that share one of ours differ in it.
   */
  private static String exportedAs(PluginDescription plugin) {
    String provider = plugin.providerClass();
    return provider != null && provider.startsWith("nccl") ? ", exported as " + provider : "";
  }

  private static String taken(PluginDescription plugin) {
    if (plugin.version() == 0) {
      return "";
    }
    List<String> steps = plugin.adapters();
    String newest = steps.isEmpty() ? "" : steps.getLast();
    String as = steps.isEmpty() ? "" : " (as " + newest.substring(newest.indexOf('>') + 1) + ")";
    return "v" + plugin.version() + as;
  }

  private static String verdict(SelectionPreview preview) {
    if (preview.failure() != null) {
      return preview.failure();
    }
    return preview.plugins().stream()
        .filter(plugin -> plugin.state() == PluginState.CHOSEN)
        .map(plugin -> plugin.kind().label() + " " + plugin.name())
        .collect(Collectors.joining(", ", "Chosen: ", ""));
  }

  private static String json(SelectionPreview preview) {
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode plugins = root.putArray("plugins");
    for (PluginDescription plugin : preview.plugins()) {
      ObjectNode node = plugins.addObject();
      node.put("kind", plugin.kind().label());
      node.put("name", plugin.name());
      plugin.versions().forEach(node.putArray("versions")::add);
      if (plugin.version() == 0) {
        node.putNull("taken");
      } else {
        node.put("taken", plugin.version());
      }
      plugin.adapters().forEach(node.putArray("adapters")::add);
      node.put("provider", plugin.providerClass());
      node.put("module", plugin.origin().module());
      node.put("location", plugin.origin().location());
      node.put("application", plugin.origin().application());
      node.put("state", plugin.state().label());
      node.put("reason", plugin.reason());
      ArrayNode devices = node.putArray("devices");
      for (NetProperties device : plugin.devices()) {
        ObjectNode shown = devices.addObject();
        shown
            .put("name", device.name())
            .put("pci_path", device.pciPath())
            .put("guid", device.guid())
            .put("speed_mbps", device.speed())
            .put("port", device.port())
            .put("latency_us", device.latency())
            .put("max_comms", device.maxComms())
            .put("max_recvs", device.maxRecvs())
            .put("ptr_support", device.ptrSupport())
            .put("reg_is_global", device.regIsGlobal())
            .put("force_flush", device.forceFlush())
            .put("net_device_type", device.netDeviceType().name())
            .put("net_device_version", device.netDeviceVersion())
            .put("max_p2p_bytes", device.maxP2pBytes())
            .put("max_coll_bytes", device.maxCollBytes())
            .put("max_multi_request_size", device.maxMultiRequestSize());
        device.virtualDevice().devices().forEach(shown.putArray("devices")::add);
        putId(shown, "rail_id", device.railId());
        putId(shown, "plane_id", device.planeId());
      }
    }
    root.put("failure", preview.failure());
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
  }

  private static void putId(ObjectNode node, String name, short id) {
    if (id == NetProperties.ID_UNDEFINED) {
      node.putNull(name);
    } else {
      node.put(name, id);
    }
  }
}
