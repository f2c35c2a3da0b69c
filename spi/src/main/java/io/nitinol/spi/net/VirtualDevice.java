// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import java.util.List;

/**
 * The physical devices that make up one device; mirrors {@code ncclNetVDeviceProps_v9_t} and its
 * successors. A physical device consists of itself alone.
 *
 * @param devices the numbers of the physical devices, none twice, at least one and at most the
 *     version's {@code MAX_DEVS_PER_NIC}
 */
public record VirtualDevice(List<Integer> devices) {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException when it is empty, has a negative number or one twice
   */
  public VirtualDevice {
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("a virtual device of no devices");
    }
    if (devices.stream().anyMatch(device -> device < 0)
        || devices.stream().distinct().count() != devices.size()) {
      throw new IllegalArgumentException(
          "devices of a virtual device: expected different numbers from 0 on, got " + devices);
    }
  }

  /**
   * Describes a physical device.
   *
   * @param device its own number
   * @return a virtual device of that one
   */
  public static VirtualDevice physical(int device) {
    return new VirtualDevice(List.of(device));
  }
}
