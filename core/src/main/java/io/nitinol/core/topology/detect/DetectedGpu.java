// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.spi.topology.v1.DeviceWiring;
import java.util.ArrayList;
import java.util.List;

/**
 * A GPU that goes into the graph.
 *
 * @param wiring its address, its number on the machine and its links
 * @param rank the rank that uses it
 */
public record DetectedGpu(DeviceWiring wiring, int rank) {
  private static final String NVIDIA = "0x10de";
  private static final String AMD = "0x1002";

  /**
   * Finds GPUs by what the kernel shows, where no device provider tells of them: cards of NVIDIA
   * and AMD that compute. Their links to each other are not known then, and the generation only as
   * far as the number of the model tells it. Ranks are given in the order of the PCI bus.
   *
   * @param files the machine
   */
  public static List<DetectedGpu> bySystem(SystemFiles files) {
    List<DetectedGpu> found = new ArrayList<>();
    for (String busId : files.pciDevices()) {
      String at = "/sys/bus/pci/devices/" + busId + "/";
      String kind = files.text(at + "class");
      String vendor = files.text(at + "vendor");
      boolean shows = kind.startsWith("0x0300") && vendor.equals(NVIDIA);
      boolean computes =
          (kind.startsWith("0x0302") || kind.startsWith("0x0380") || kind.startsWith("0x1200"))
              && (vendor.equals(NVIDIA) || vendor.equals(AMD));
      if (shows || computes) {
        int generation = vendor.equals(NVIDIA) ? generation(files.text(at + "device")) : 0;
        found.add(
            new DetectedGpu(
                new DeviceWiring(busId, found.size(), generation, true, List.of(), 0, 0),
                found.size()));
      }
    }
    return found;
  }

  /** Returns the compute capability that a card's number stands for, by NVIDIA's blocks of them. */
  private static int generation(String device) {
    String block = device.length() == 6 ? device.substring(2, 4) : "";
    return switch (block) {
      case "15", "17", "1b" -> 60;
      case "1d" -> 70;
      case "1e", "1f", "21" -> 75;
      case "20" -> 80;
      case "22", "24", "25" -> 86;
      case "26", "27", "28" -> 89;
      case "23" -> 90;
      case "29", "2b", "31" -> 100;
      default -> 0;
    };
  }
}
