// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Finds the allocation that an address lies in, by asking the driver. */
final class CudaAddresses {
  private static final int ATTRIBUTES = 5;

  /** Pinned memory of this provider: of some of it the driver does not tell where it begins. */
  private static final ConcurrentSkipListMap<Long, MemoryRange> PINNED =
      new ConcurrentSkipListMap<>(Long::compareUnsigned);

  private CudaAddresses() {}

  static void addPinned(long address, long size) {
    PINNED.put(address, new MemoryRange(MemoryKind.HOST, MemoryRange.NO_DEVICE, address, size));
  }

  static void removePinned(long address) {
    PINNED.remove(address);
  }

  static @Nullable MemoryRange find(long address) {
    Map.Entry<Long, MemoryRange> below = PINNED.floorEntry(address);
    if (below != null && below.getValue().contains(address, 1)) {
      return below.getValue();
    }
    CudaContext context = active();
    if (address == 0 || context == null) {
      return null;
    }
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes =
          arena.allocateFrom(
              ValueLayout.JAVA_INT,
              cuda_h.CU_POINTER_ATTRIBUTE_MEMORY_TYPE(),
              cuda_h.CU_POINTER_ATTRIBUTE_IS_MANAGED(),
              cuda_h.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL(),
              cuda_h.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR(),
              cuda_h.CU_POINTER_ATTRIBUTE_RANGE_SIZE());
      MemorySegment values = arena.allocate(ValueLayout.JAVA_LONG, ATTRIBUTES);
      MemorySegment pointers = arena.allocate(ValueLayout.ADDRESS, ATTRIBUTES);
      for (int i = 0; i < ATTRIBUTES; i++) {
        pointers.setAtIndex(ValueLayout.ADDRESS, i, values.asSlice(8L * i));
      }
      context.check(
          cuda_h.cuPointerGetAttributes(ATTRIBUTES, attributes, pointers, address),
          "cuPointerGetAttributes");
      int type = values.get(ValueLayout.JAVA_INT, 0);
      if (type == 0) {
        return null;
      }
      boolean managed = values.get(ValueLayout.JAVA_INT, 8) != 0;
      int ordinal = values.get(ValueLayout.JAVA_INT, 16);
      long start = values.get(ValueLayout.JAVA_LONG, 24);
      long size = values.get(ValueLayout.JAVA_LONG, 32);
      if (size < 1) {
        start = address;
        size = 1;
      }
      MemoryKind kind =
          managed
              ? MemoryKind.MANAGED
              : type == cuda_h.CU_MEMORYTYPE_HOST() ? MemoryKind.HOST : MemoryKind.DEVICE;
      return new MemoryRange(
          kind, kind == MemoryKind.DEVICE ? ordinal : MemoryRange.NO_DEVICE, start, size);
    } finally {
      context.leave(pushed);
    }
  }

  /** Returns a context that exists; where there is none, the driver knows no memory. */
  private static @Nullable CudaContext active() {
    for (CudaDevice device : CudaDriver.found().own()) {
      if (device.context().isActive()) {
        return device.context();
      }
    }
    return null;
  }
}
