// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.core.DeviceCommunicator;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a report tells of a rank's device: what its driver tells, and how it reaches the others. */
final class PerfDeviceFacts {
  private static final String ON_NO_BUS = "no-pci";

  private PerfDeviceFacts() {}

  static PerfDevice of(DeviceProvider provider, DeviceCommunicator communicator) {
    Device device = communicator.device();
    String pciId = device.pciId();
    String links = links(provider, device);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("provider", provider.name());
    facts.put("uuid", device.uuid());
    facts.put("memory_type", provider.memoryType().name());
    facts.put("memory_bytes", Long.toString(device.memorySize()));
    facts.put("processors", Integer.toString(device.processors()));
    facts.put("links", links);
    return new PerfDevice(
        device.index(),
        pciId == null ? ON_NO_BUS : pciId,
        device.name(),
        ErrorText.of("%s (links: %s): %s", provider.name(), links, communicator.describe()),
        facts);
  }

  /**
   * Returns what leads to the other devices that this process sees: "fabric to 7 other devices".
   */
  private static String links(DeviceProvider provider, Device device) {
    Map<DeviceLink.Kind, Integer> counts = new EnumMap<>(DeviceLink.Kind.class);
    for (Device peer : provider.devices()) {
      if (peer.index() != device.index()) {
        counts.merge(device.link(peer).kind(), 1, Integer::sum);
      }
    }
    if (counts.isEmpty()) {
      return "none, one device";
    }
    List<String> words = new ArrayList<>();
    counts.forEach((kind, count) ->
        words.add(
            ErrorText.of(
                "%s to %d other device%s",
                kind.name().toLowerCase(Locale.ROOT), count, count == 1 ? "" : "s")));
    return String.join(", ", words);
  }
}
