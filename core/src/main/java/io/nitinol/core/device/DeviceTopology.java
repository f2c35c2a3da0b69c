// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.config.TopologyVariables;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.detect.DetectedGpu;
import io.nitinol.core.topology.detect.ThisMachine;
import io.nitinol.core.topology.report.TopologyReport;
import io.nitinol.core.topology.tune.GpuTuningTable;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What rank 0 of a communicator on devices writes of the topology, where a variable asks for it:
 * {@code NCCL_TOPO_DUMP_FILE}, {@code NCCL_GRAPH_DUMP_FILE}, and NCCL's table of costs under {@code
 * NCCL_DEBUG_SUBSYS=TUNING}. It changes nothing in what the communicator does, and a failure is a
 * warning.
 */
final class DeviceTopology {
  private static final String WHERE = "DeviceTopology";

  private DeviceTopology() {}

  /**
   * Writes what is asked for; returns at once where nothing is.
   *
   * @param peers where the ranks are
   * @param placements the devices of the ranks
   */
  static void tell(
      List<PeerInfo> peers,
      List<DevicePlacement> placements,
      DeviceProvider provider,
      Settings settings,
      DebugLogger logger) {
    boolean table = logger.isEnabled(LogLevel.INFO, LogSubsystem.TUNING.mask());
    boolean files =
        !settings.get(TopologyVariables.TOPO_DUMP_FILE).isEmpty()
            || !settings.get(TopologyVariables.GRAPH_DUMP_FILE).isEmpty();
    if (!table && !files) {
      return;
    }
    try {
      List<DetectedGpu> gpus = ownHost(peers, placements, provider);
      if (gpus.isEmpty()) {
        return; // no device is on a PCI bus
      }
      PluginCatalog catalog = PluginCatalog.process();
      TopologyDocument found = ThisMachine.with(gpus, catalog, settings);
      TopologyReport.dump(found, settings);
      int hosts = (int) peers.stream().mapToLong(PeerInfo::host).distinct().count();
      TopologyReport report = TopologyReport.of(found.topology(), hosts, settings);
      report.dump(settings);
      if (table) {
        for (String line : GpuTuningTable.lines(report.model())) {
          logger.info(LogSubsystem.TUNING, WHERE, line);
        }
      }
    } catch (TopologyException | IOException | RuntimeException e) {
      // A provider or plugin that cannot answer; the communicator needs nothing of it.
      logger.warn(WHERE, "the topology is not written: " + e.getMessage());
    }
  }

  /** Returns the devices of rank 0's host, in the order of their ranks. */
  private static List<DetectedGpu> ownHost(
      List<PeerInfo> peers, List<DevicePlacement> placements, DeviceProvider provider)
      throws TopologyException {
    List<DeviceWiring> wiring = ThisMachine.wiring(provider);
    List<DetectedGpu> gpus = new ArrayList<>();
    for (PeerInfo peer : peers) {
      if (peer.host() != peers.getFirst().host()) {
        continue;
      }
      String uuid = placements.get(peer.rank()).uuid();
      Device device =
          provider.devices().stream()
              .filter(each -> each.uuid().equals(uuid))
              .findFirst()
              .orElseThrow(() ->
                  new TopologyException(
                      ErrorText.of(
                          "the process of rank 0 does not see the device of rank %d",
                          peer.rank())));
      for (DeviceWiring each : wiring) {
        if (each.pciId().equals(device.pciId())) {
          gpus.add(new DetectedGpu(each, gpus.size()));
        }
      }
    }
    return gpus;
  }
}
