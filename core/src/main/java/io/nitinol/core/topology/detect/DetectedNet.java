// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.v12.NetProperties;
import org.jspecify.annotations.Nullable;

/**
 * A device of a network plugin that goes into the graph.
 *
 * @param name the device's name
 * @param pciPath its path below {@code /sys}; null where it has none
 * @param device its number
 * @param latency in microseconds
 * @param mbps its speed
 * @param port the port's number
 * @param guid what its ports have in common
 * @param connections how many it can have
 * @param gdr whether it can reach memory of GPUs
 * @param reduces whether it reduces in the network
 */
public record DetectedNet(
    String name,
    @Nullable String pciPath,
    int device,
    float latency,
    int mbps,
    int port,
    long guid,
    int connections,
    boolean gdr,
    boolean reduces) {

  /**
   * Takes what a plugin tells.
   *
   * @param device the device's number
   * @param reduces whether the plugin is a CollNet
   */
  public static DetectedNet of(NetProperties told, int device, boolean reduces) {
    int gpu = PointerType.CUDA.mask() | PointerType.DMABUF.mask();
    return new DetectedNet(
        told.name(),
        told.pciPath(),
        device,
        told.latency(),
        told.speed(),
        told.port(),
        told.guid(),
        told.maxComms(),
        (told.ptrSupport() & gpu) != 0,
        reduces);
  }
}
