// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.CUipcMemHandle_st;
import io.nitinol.samples.cuda.ffi.Descriptors;
import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Memory of a device in the hands of others: handles for processes, descriptors for cards. */
final class CudaSharing {
  private static final int PAGE = 4096;
  private static final int PROBE_SIZE = 1 << 21;

  private final Device device;
  private final CudaContext context;
  private final Answer memoryHandles = new Answer(this::canShare);
  private final Answer dmaBuf = new Answer(this::canExportDmaBuf);

  CudaSharing(Device device, CudaContext context) {
    this.device = device;
    this.context = context;
  }

  /** A question that is answered once. */
  private static final class Answer {
    private final BooleanSupplier question;
    private @Nullable Boolean answer;

    Answer(BooleanSupplier question) {
      this.question = question;
    }

    synchronized boolean get() {
      Boolean known = answer;
      if (known == null) {
        known = question.getAsBoolean();
        answer = known;
      }
      return known;
    }
  }

  boolean hasMemoryHandles() {
    return memoryHandles.get();
  }

  boolean hasDmaBuf() {
    return dmaBuf.get();
  }

  /** Whether a process may share memory is known only when it tries. */
  private boolean canShare() {
    try (DeviceMemory memory = device.allocate(PROBE_SIZE)) {
      return share(memory.address(), 1).length > 0;
    } catch (DeviceException e) {
      return denial(e);
    }
  }

  /**
   * Returns false, as the answer to a question whose probe failed: a call that needs it gets the
   * driver's words. A probe that found no memory has no answer, and the next one may have another.
   */
  private static boolean denial(DeviceException failure) {
    if (failure.failure() == DeviceFailure.OUT_OF_MEMORY) {
      throw failure;
    }
    return false;
  }

  private boolean canExportDmaBuf() {
    try (DeviceMemory memory = device.allocate(PROBE_SIZE)) {
      return Descriptors.close(dmaBufOf(memory.address(), PAGE)) == 0;
    } catch (DeviceException e) {
      return denial(e);
    }
  }

  /** An allocation by its first byte and its size. */
  private record Range(long base, long size) {}

  /** Returns the allocation of this device that bytes lie in. */
  private Range range(long address, long size) {
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result = cuda_h.cuMemGetAddressRange_v2(out, out.asSlice(8), address);
      if (result == 0) {
        Range range =
            new Range(out.get(ValueLayout.JAVA_LONG, 0), out.get(ValueLayout.JAVA_LONG, 8));
        long offset = address - range.base;
        var known = CudaAddresses.find(address);
        if (offset >= 0
            && size >= 1
            && size <= range.size - offset
            && known != null
            && known.kind() == MemoryKind.DEVICE
            && known.device() == device.index()) {
          return range;
        }
      } else if (CudaFailures.isSticky(result)) {
        throw context.failure(result, "cuMemGetAddressRange", "");
      }
    } finally {
      context.leave(pushed);
    }
    throw CudaFailures.invalid(
        "%d bytes at 0x%x are not in one allocation of %s", size, address, context.name());
  }

  /** Refuses bytes that are not one piece of this device's memory. */
  void requireOwn(long address, long size) {
    range(address, size);
  }

  byte[] share(long address, long size) {
    Range range = range(address, size);
    byte[] driver;
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = CUipcMemHandle_st.allocate(arena);
      int result = cuda_h.cuIpcGetMemHandle(handle, range.base);
      if (result != 0) {
        throw refused(result, "cuIpcGetMemHandle");
      }
      driver = handle.toArray(ValueLayout.JAVA_BYTE);
    } finally {
      context.leave(pushed);
    }
    long process = ProcessHandle.current().pid();
    return new CudaSharedHandle(process, driver, address - range.base, size).encode();
  }

  private DeviceException refused(int result, String call) {
    return CudaFailures.driver(
        CudaFailures.isSticky(result) ? DeviceFailure.DEVICE_LOST : DeviceFailure.IPC_REFUSED,
        result,
        call,
        context.name(),
        "memory of another process");
  }

  DeviceMemory open(byte[] handle) {
    CudaSharedHandle shared = CudaSharedHandle.decode(handle);
    if (shared.process() == ProcessHandle.current().pid()) {
      throw CudaFailures.of(
          DeviceFailure.IPC_REFUSED,
          "%s: the driver opens no handle of its own process",
          context.name());
    }
    long base;
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment driver = CUipcMemHandle_st.allocate(arena);
      MemorySegment.copy(
          shared.driver(), 0, driver, ValueLayout.JAVA_BYTE, 0, CudaSharedHandle.DRIVER_SIZE);
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      int result =
          cuda_h.cuIpcOpenMemHandle_v2(out, driver, cuda_h.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS());
      if (result != 0) {
        throw refused(result, "cuIpcOpenMemHandle");
      }
      base = out.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      context.leave(pushed);
    }
    return new CudaMemory(
        device,
        MemoryKind.DEVICE,
        base + shared.offset(),
        shared.size(),
        null,
        () ->
            context.release(
                "cuIpcCloseMemHandle",
                shared.size() + " bytes of process " + shared.process(),
                () -> cuda_h.cuIpcCloseMemHandle(base)));
  }

  int dmaBuf(long address, long size) {
    if (address % PAGE != 0 || size < 1 || size % PAGE != 0) {
      throw CudaFailures.invalid(
          "%d bytes at 0x%x are not whole pages of %d bytes", size, address, PAGE);
    }
    return dmaBufOf(address, size);
  }

  private int dmaBufOf(long address, long size) {
    range(address, size);
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result =
          cuda_h.cuMemGetHandleForAddressRange(
              out, address, size, cuda_h.CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD(), 0);
      if (result != 0) {
        throw context.failure(result, "cuMemGetHandleForAddressRange", size + " bytes");
      }
      return out.get(ValueLayout.JAVA_INT, 0);
    } finally {
      context.leave(pushed);
    }
  }
}
