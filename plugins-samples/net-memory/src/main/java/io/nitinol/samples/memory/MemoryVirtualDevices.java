// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The devices as version 12 knows them: the physical ones and those that were made of several
 * (NET-VDEV-*). Memory is as fast through one as through two, so a virtual device carries its
 * messages as the first of its devices does.
 */
final class MemoryVirtualDevices {
  /** The longest message and the largest operation, whose lengths are ints inside. */
  static final long MOST_BYTES = 1L << 30;

  private final List<VirtualDevice> made = new CopyOnWriteArrayList<>();

  /** Returns how many devices there are where {@code physical} are physical. */
  int count(int physical) {
    return physical == 0 ? 0 : physical + made.size();
  }

  /** Makes one, by one thread at a time; returns its number. */
  synchronized int make(VirtualDevice devices, int physical) {
    if (devices == null || devices.devices().size() > Net.MAX_DEVS_PER_NIC) {
      throw MemoryFailures.argument(
          devices + ", expected at most " + Net.MAX_DEVS_PER_NIC + " devices");
    }
    for (int device : devices.devices()) {
      if (device >= physical) { // NET-VDEV-02
        throw MemoryFailures.argument("device " + device + ", expected one of " + physical);
      }
    }
    int number = count(physical);
    made.add(devices);
    return number;
  }

  /** Returns the physical device that carries what goes through {@code device}. */
  int carrier(int device, int physical) {
    return parts(device, physical).devices().getFirst();
  }

  private VirtualDevice parts(int device, int physical) {
    if (device < 0 || device >= count(physical)) { // NET-DEV-03
      throw MemoryFailures.argument("device " + device + ", expected one of " + count(physical));
    }
    return device < physical ? VirtualDevice.physical(device) : made.get(device - physical);
  }

  NetProperties properties(int device, int physical) {
    VirtualDevice parts = parts(device, physical);
    io.nitinol.spi.net.v6.NetProperties p = MemoryDevices.get(parts.devices().getFirst(), physical);
    return new NetProperties(
        parts.devices().stream().map(MemoryDevices::name).collect(Collectors.joining("+")),
        p.pciPath(),
        device, // a card of its own, NET-DEV-07
        p.ptrSupport(),
        false, // registrations are for one comm
        false,
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        NetDeviceType.HOST,
        0,
        parts,
        MOST_BYTES,
        MOST_BYTES,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }
}
