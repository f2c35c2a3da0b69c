// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Memory;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows which registrations overlap, over all comms of a network, so that an operation is compared
 * only with those that could meet it. Its lock is taken by registrations, never by operations.
 */
final class AreaTracker {
  private final TreeMap<Long, ValidatedRegion> host = new TreeMap<>(Long::compareUnsigned);
  private final TreeMap<Long, ValidatedRegion> device = new TreeMap<>(Long::compareUnsigned);

  /** Returns the region that {@code memory} lies in, until {@link #unregister}; null for none. */
  synchronized @Nullable ValidatedRegion register(Memory memory) {
    if (memory.size() <= 0) {
      return null;
    }
    NavigableMap<Long, ValidatedRegion> regions = of(memory);
    ValidatedRegion region =
        new ValidatedRegion(memory.address(), memory.address() + memory.size());
    Map.Entry<Long, ValidatedRegion> first = regions.floorEntry(region.start);
    if (first == null || Long.compareUnsigned(first.getValue().end, region.start) <= 0) {
      first = regions.higherEntry(region.start);
    }
    while (first != null && Long.compareUnsigned(first.getKey(), region.end) < 0) {
      ValidatedRegion part = first.getValue();
      regions.remove(first.getKey());
      region.start = Long.compareUnsigned(part.start, region.start) < 0 ? part.start : region.start;
      region.end = Long.compareUnsigned(part.end, region.end) > 0 ? part.end : region.end;
      region.registrations += part.registrations;
      part.mergeInto(region);
      first = regions.higherEntry(first.getKey());
    }
    region.registrations++;
    regions.put(region.start, region);
    return region;
  }

  /** Undoes one {@link #register}. */
  synchronized void unregister(Memory memory, ValidatedRegion region) {
    ValidatedRegion root = region.root();
    if (--root.registrations == 0) {
      of(memory).remove(root.start, root);
    }
  }

  private NavigableMap<Long, ValidatedRegion> of(Memory memory) {
    return memory.type() == PointerType.HOST ? host : device;
  }
}
