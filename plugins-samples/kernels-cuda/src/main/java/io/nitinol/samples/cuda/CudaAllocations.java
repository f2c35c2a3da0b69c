// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory that a device gives and pins. Any thread. */
final class CudaAllocations {
  private final Device device;
  private final CudaContext context;

  CudaAllocations(Device device, CudaContext context) {
    this.device = device;
    this.context = context;
  }

  private static void requireSize(long size) {
    if (size < 1) {
      throw CudaFailures.invalid("size of memory: expected at least 1, got %d", size);
    }
  }

  DeviceMemory allocate(long size) {
    requireSize(size);
    long address;
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result = cuda_h.cuMemAlloc_v2(out, size);
      if (result != 0) {
        throw context.failure(result, "cuMemAlloc", size + " bytes");
      }
      address = out.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      context.leave(pushed);
    }
    return new CudaMemory(
        device,
        MemoryKind.DEVICE,
        address,
        size,
        null,
        () -> context.release("cuMemFree", size + " bytes", () -> cuda_h.cuMemFree_v2(address)));
  }

  DeviceMemory allocateHost(long size) {
    requireSize(size);
    long address;
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result =
          cuda_h.cuMemHostAlloc(
              out, size, cuda_h.CU_MEMHOSTALLOC_PORTABLE() | cuda_h.CU_MEMHOSTALLOC_DEVICEMAP());
      if (result != 0) {
        throw context.failure(result, "cuMemHostAlloc", size + " bytes");
      }
      address = out.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      context.leave(pushed);
    }
    MemorySegment bare = MemorySegment.ofAddress(address);
    return pinned(address, size, false, "cuMemFreeHost", () -> cuda_h.cuMemFreeHost(bare));
  }

  /**
   * Pins memory of the caller. The driver gets its address as a number, and so does the close: the
   * segment may be of an arena that another thread must not touch.
   */
  DeviceMemory register(MemorySegment segment) {
    if (!CudaFailures.notNull(segment, "segment").isNative()
        || segment.byteSize() == 0
        || !segment.scope().isAlive()) {
      throw CudaFailures.invalid("only native memory that is alive can be pinned: %s", segment);
    }
    long address = segment.address();
    long size = segment.byteSize();
    MemorySegment bare = MemorySegment.ofAddress(address);
    boolean pushed = context.enter();
    try {
      int result =
          cuda_h.cuMemHostRegister_v2(
              bare,
              size,
              cuda_h.CU_MEMHOSTREGISTER_PORTABLE() | cuda_h.CU_MEMHOSTREGISTER_DEVICEMAP());
      if (result != 0) {
        throw context.failure(result, "cuMemHostRegister", size + " bytes");
      }
    } finally {
      context.leave(pushed);
    }
    return pinned(
        address,
        size,
        segment.isReadOnly(),
        "cuMemHostUnregister",
        () -> cuda_h.cuMemHostUnregister(bare));
  }

  /** Returns pinned memory that any thread reads and writes until it is closed. */
  private DeviceMemory pinned(
      long address, long size, boolean readOnly, String call, CudaContext.Release release) {
    Arena arena = Arena.ofShared();
    MemorySegment all = MemorySegment.ofAddress(address).reinterpret(size, arena, null);
    CudaAddresses.addPinned(address, size);
    return new CudaMemory(
        device,
        MemoryKind.HOST,
        address,
        size,
        readOnly ? all.asReadOnly() : all,
        () -> {
          CudaAddresses.removePinned(address);
          arena.close();
          context.release(call, size + " bytes", release);
        });
  }
}
