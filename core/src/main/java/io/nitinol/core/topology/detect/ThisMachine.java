// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.TopologyVariables;
import io.nitinol.core.plugin.DeviceSelection;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.core.plugin.PluginState;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.spi.topology.v1.WiredDevices;
import io.nitinol.toolkit.ErrorText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topology of the machine that this process runs on, with all GPUs that it may use: ranks are
 * given in the provider's order. It initializes plugins; the calling thread waits for them.
 *
 * @param document the description
 * @param notes what could not be found out, in sentences for the user
 */
public record ThisMachine(TopologyDocument document, List<String> notes) {

  /** Copies the notes. */
  public ThisMachine {
    notes = List.copyOf(notes);
  }

  /**
   * Finds the machine out.
   *
   * @param catalog the plugins of this process
   * @param settings where {@code NCCL_TOPO_FILE} and the choices of plugins are read
   * @param logger where the choice of a device provider is told
   * @throws TopologyException where {@code NCCL_TOPO_FILE} cannot be used
   */
  public static ThisMachine find(PluginCatalog catalog, Settings settings, DebugLogger logger)
      throws TopologyException {
    List<String> notes = new ArrayList<>();
    SystemFiles files = new SystemFiles(Path.of("/"));
    List<DetectedGpu> gpus = gpus(catalog, settings, logger, files, notes);
    return new ThisMachine(describe(files, gpus, catalog, settings, notes), notes);
  }

  /**
   * Describes this machine with the GPUs of a job.
   *
   * @param gpus in the order of their ranks
   * @throws TopologyException where {@code NCCL_TOPO_FILE} cannot be used
   */
  public static TopologyDocument with(
      List<DetectedGpu> gpus, PluginCatalog catalog, Settings settings) throws TopologyException {
    return describe(new SystemFiles(Path.of("/")), gpus, catalog, settings, new ArrayList<>());
  }

  private static TopologyDocument describe(
      SystemFiles files,
      List<DetectedGpu> gpus,
      PluginCatalog catalog,
      Settings settings,
      List<String> notes)
      throws TopologyException {
    List<DetectedNet> nets = nets(catalog, settings, notes);
    return MachineDetection.describe(files, hostHash(settings, files), gpus, nets, known(settings));
  }

  /**
   * Reads the file that says what is known of this machine.
   *
   * @param settings where {@code NCCL_TOPO_FILE} is read
   * @return null where that is not set
   * @throws TopologyException where it cannot be used
   */
  public static @Nullable TopologyDocument known(Settings settings) throws TopologyException {
    String file = settings.get(TopologyVariables.TOPO_FILE);
    if (file.isEmpty()) {
      return null;
    }
    try {
      return TopologyDocument.read(Path.of(file));
    } catch (InvalidPathException | TopologyException e) {
      throw new TopologyException(
          ErrorText.of("%s: %s", TopologyVariables.TOPO_FILE.name(), e.getMessage()), e);
    }
  }

  private static List<DetectedGpu> gpus(
      PluginCatalog catalog,
      Settings settings,
      DebugLogger logger,
      SystemFiles files,
      List<String> notes) {
    List<DetectedGpu> found = new ArrayList<>();
    try {
      DeviceProvider provider = DeviceSelection.select(catalog, settings, logger);
      for (DeviceWiring wiring : wiring(provider)) {
        found.add(new DetectedGpu(wiring, found.size()));
      }
      if (!found.isEmpty() && !(provider instanceof WiredDevices)) {
        notes.add(
            ErrorText.of(
                "the provider %s does not tell of links between its devices", provider.name()));
      }
    } catch (NetException e) {
      // No provider works here; what the kernel shows is all there is.
      logger.info(LogSubsystem.GRAPH, "ThisMachine", String.valueOf(e.getMessage()));
    }
    if (found.isEmpty()) {
      found = DetectedGpu.bySystem(files);
      if (!found.isEmpty()) {
        notes.add(
            "no device provider works here: GPUs are those of the PCI bus, and their links to each"
                + " other are not known");
      }
    }
    return found;
  }

  /** Returns what a provider tells of its devices; those that are on no PCI bus are left out. */
  public static List<DeviceWiring> wiring(DeviceProvider provider) {
    if (provider instanceof WiredDevices wired) {
      return wired.wiring();
    }
    List<DeviceWiring> known = new ArrayList<>();
    for (Device device : provider.devices()) {
      String pciId = device.pciId();
      if (pciId != null) {
        known.add(new DeviceWiring(pciId, device.index(), 0, true, List.of(), 0, 0));
      }
    }
    return known;
  }

  private static List<DetectedNet> nets(
      PluginCatalog catalog, Settings settings, List<String> notes) {
    List<DetectedNet> found = new ArrayList<>();
    List<PluginDescription> plugins = NetSelection.preview(catalog, settings, null).plugins();
    for (PluginKind kind : List.of(PluginKind.COLLNET, PluginKind.NET)) {
      for (PluginDescription plugin : plugins) {
        if (plugin.kind() == kind && plugin.state() == PluginState.CHOSEN) {
          for (int i = 0; i < plugin.devices().size(); i++) {
            found.add(DetectedNet.of(plugin.devices().get(i), i, kind == PluginKind.COLLNET));
          }
        }
      }
    }
    if (found.isEmpty()) {
      notes.add("no network plugin works here: network devices are not shown");
    }
    return found;
  }

  /** Returns NCCL's host hash: of the host's name and the id of its boot, or of NCCL_HOSTID. */
  private static String hostHash(Settings settings, SystemFiles files) {
    String given = settings.get(CoreVariables.HOSTID).strip();
    String identity = given.isEmpty() ? hostName() + bootId(files) : given;
    long hash = 5381;
    for (byte letter : identity.getBytes(StandardCharsets.UTF_8)) {
      hash = hash * 33 ^ letter;
    }
    return "0x" + Long.toHexString(hash);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static String bootId(SystemFiles files) {
    return files.text("/proc/sys/kernel/random/boot_id");
  }
}
