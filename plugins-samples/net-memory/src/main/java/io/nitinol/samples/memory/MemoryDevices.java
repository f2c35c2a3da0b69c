// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.v6.NetProperties;

/** The devices, of which there are two so that code for several devices can be tried. */
final class MemoryDevices {
  static final int COUNT = 2;

  private static final int MAX_COMMS = 1024; // each takes two mappings and 68 KiB
  private static final int SPEED = 80_000; // Mb/s, about what one thread copies
  private static final float LATENCY = 0.5f; // µs

  private MemoryDevices() {}

  static String name(int device) {
    return "memory" + device;
  }

  /** Returns the properties of a device; fails for another number than 0 and 1 (NET-DEV-03). */
  static NetProperties get(int device, int count) {
    if (device < 0 || device >= count) {
      throw MemoryFailures.argument("device " + device + ", expected one of " + count);
    }
    return new NetProperties(
        name(device),
        null, // virtual, NET-DEV-06
        device, // a card of its own, NET-DEV-07
        PointerType.HOST.mask(),
        SPEED,
        0,
        LATENCY,
        MAX_COMMS,
        MemoryNet.MAX_RECVS);
  }
}
