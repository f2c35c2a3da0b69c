// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** All memory of this process that the twin knows, by which it tells foreign addresses apart. */
final class CpuAddressSpace {
  private static final ConcurrentSkipListMap<Long, Region> REGIONS = new ConcurrentSkipListMap<>();

  private CpuAddressSpace() {}

  /**
   * Adds a piece.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_STATE where bytes of it are known
   *     already
   */
  static synchronized void add(Region region) {
    long address = region.address();
    Map.Entry<Long, Region> before =
        REGIONS.lowerEntry(address + region.segment().byteSize()); // begins before our end
    if (before != null && before.getValue().range().offsetOf(address) < size(before.getValue())) {
      throw CpuFailures.state(
          "memory at 0x%x is pinned or allocated already", Math.max(address, before.getKey()));
    }
    REGIONS.put(address, region);
  }

  static synchronized void remove(Region region) {
    REGIONS.remove(region.address(), region);
  }

  static @Nullable Region find(long address) {
    Map.Entry<Long, Region> entry = REGIONS.floorEntry(address);
    return entry != null && entry.getValue().range().contains(address, 1) ? entry.getValue() : null;
  }

  private static long size(Region region) {
    return region.segment().byteSize();
  }
}
