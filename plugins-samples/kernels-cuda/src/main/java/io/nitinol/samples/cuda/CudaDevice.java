// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.CUipcMemHandle_st;
import io.nitinol.samples.cuda.ffi.CUuuid_st;
import io.nitinol.samples.cuda.ffi.Descriptors;
import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A device as the driver numbers it, with its primary context. */
final class CudaDevice implements Device {
  private static final int PAGE = 4096;
  private static final int PROBE_SIZE = 1 << 21;

  /** The first compute capability that the committed PTX is for. */
  private static final int LEAST_CAPABILITY = 80;

  private final int ordinal;
  private final String name;
  private final @Nullable String pciId;
  private final String uuid;
  private final long memorySize;
  private final int processors;
  private final int capability;
  private final CudaContext context;
  private final KernelModules modules;
  private final CudaKernels kernels;
  private final Answer memoryHandles;
  private final Answer dmaBuf;

  private CudaDevice(
      int ordinal,
      String name,
      @Nullable String pciId,
      String uuid,
      long memorySize,
      int processors,
      int capability) {
    this.ordinal = ordinal;
    this.name = name;
    this.pciId = pciId;
    this.uuid = uuid;
    this.memorySize = memorySize;
    this.processors = processors;
    this.capability = capability;
    this.context = new CudaContext(ordinal, name + " (" + ordinal + ")");
    this.modules = new KernelModules(context, capability);
    this.kernels = new CudaKernels(this, modules);
    this.memoryHandles = new Answer(this::canShare);
    this.dmaBuf = new Answer(this::canExportDmaBuf);
  }

  /** A question that is asked at most once. */
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

  /** Asks the driver about a device. */
  static CudaDevice find(int ordinal) {
    String label = "device " + ordinal;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(256);
      require(cuda_h.cuDeviceGetName(text, 256, ordinal), "cuDeviceGetName", label);
      String name = text.getString(0).strip();
      int result = cuda_h.cuDeviceGetPCIBusId(text, 256, ordinal);
      String pciId = result == 0 ? text.getString(0).toLowerCase(Locale.ROOT) : null;
      MemorySegment bytes = CUuuid_st.allocate(arena);
      require(cuda_h.cuDeviceGetUuid_v2(bytes, ordinal), "cuDeviceGetUuid", label);
      String hex = HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
      MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
      require(cuda_h.cuDeviceTotalMem_v2(size, ordinal), "cuDeviceTotalMem", label);
      int major = attribute(ordinal, cuda_h.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR(), label);
      int minor = attribute(ordinal, cuda_h.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR(), label);
      return new CudaDevice(
          ordinal,
          name,
          pciId,
          // As nvidia-smi writes it.
          "GPU-"
              + hex.substring(0, 8)
              + "-"
              + hex.substring(8, 12)
              + "-"
              + hex.substring(12, 16)
              + "-"
              + hex.substring(16, 20)
              + "-"
              + hex.substring(20),
          size.get(ValueLayout.JAVA_LONG, 0),
          attribute(ordinal, cuda_h.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT(), label),
          major * 10 + minor);
    }
  }

  private static void require(int result, String call, String device) {
    if (result != 0) {
      throw CudaFailures.driver(result, call, device, "");
    }
  }

  private static int attribute(int ordinal, int attribute, String device) {
    MemorySegment out = CudaContext.scratch();
    require(cuda_h.cuDeviceGetAttribute(out, attribute, ordinal), "cuDeviceGetAttribute", device);
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  private int attribute(int attribute) {
    return attribute(ordinal, attribute, context.name());
  }

  CudaContext context() {
    return context;
  }

  KernelModules modules() {
    return modules;
  }

  CudaKernels ownKernels() {
    return kernels;
  }

  @Override
  public int index() {
    return ordinal;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public @Nullable String pciId() {
    return pciId;
  }

  @Override
  public String uuid() {
    return uuid;
  }

  @Override
  public long memorySize() {
    return memorySize;
  }

  @Override
  public int processors() {
    return processors;
  }

  @Override
  public boolean supports(DeviceFeature feature) {
    return switch (CudaFailures.notNull(feature, "feature")) {
      case MEMORY_HANDLES -> memoryHandles.get();
      case DMABUF -> dmaBuf.get();
      case HOST_REGISTRATION ->
          attribute(cuda_h.CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM()) != 0;
      case FOREIGN_STREAMS, GRAPHS -> true;
      case STREAM_VALUES ->
          attribute(cuda_h.CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS()) != 0;
      case TEAMS -> hasKernels();
    };
  }

  /** Returns whether the committed PTX is for devices like this one. */
  boolean hasKernels() {
    return capability >= LEAST_CAPABILITY;
  }

  private void requireFeature(DeviceFeature feature) {
    if (!supports(feature)) {
      throw CudaFailures.of(
          DeviceFailure.UNSUPPORTED, "%s does not support %s", context.name(), feature);
    }
  }

  /** Whether a process may share memory is known only when it tries. */
  private boolean canShare() {
    try (DeviceMemory memory = allocate(PROBE_SIZE)) {
      return share(memory.address(), 1).length > 0;
    } catch (DeviceException e) {
      return false; // the answer; a call that needs it gets the driver's words
    }
  }

  private boolean canExportDmaBuf() {
    if (attribute(cuda_h.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED()) == 0) {
      return false;
    }
    try (DeviceMemory memory = allocate(PROBE_SIZE)) {
      return Descriptors.close(dmaBufOf(memory.address(), PAGE)) == 0;
    } catch (DeviceException e) {
      return false; // as above
    }
  }

  static CudaDevice own(@Nullable Device device) {
    if (!(device instanceof CudaDevice own)) {
      throw CudaFailures.invalid("%s is no device of this provider", device);
    }
    return own;
  }

  @Override
  public boolean canAccess(Device peer) {
    CudaDevice other = own(peer);
    if (other == this) {
      return true;
    }
    MemorySegment out = CudaContext.scratch();
    context.check(
        cuda_h.cuDeviceCanAccessPeer(out, ordinal, other.ordinal), "cuDeviceCanAccessPeer");
    return out.get(ValueLayout.JAVA_INT, 0) != 0;
  }

  @Override
  public DeviceLink link(Device peer) {
    CudaDevice other = own(peer);
    if (other == this) {
      return new DeviceLink(DeviceLink.Kind.SELF, 0, true);
    }
    boolean access = canAccess(peer);
    int rank = peerAttribute(cuda_h.CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK(), other);
    boolean atomics =
        access
            && peerAttribute(cuda_h.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED(), other) != 0;
    return new DeviceLink(Nvml.kind(pciId, other.pciId, access), Math.max(0, rank), atomics);
  }

  private int peerAttribute(int attribute, CudaDevice other) {
    MemorySegment out = CudaContext.scratch();
    context.check(
        cuda_h.cuDeviceGetP2PAttribute(out, attribute, ordinal, other.ordinal),
        "cuDeviceGetP2PAttribute");
    return out.get(ValueLayout.JAVA_INT, 0);
  }

  @Override
  public void enablePeerAccess(Device peer) {
    CudaDevice other = own(peer);
    if (other == this) {
      return;
    }
    if (!canAccess(other)) {
      throw CudaFailures.of(
          DeviceFailure.UNSUPPORTED,
          "%s cannot access the memory of %s",
          context.name(),
          other.context.name());
    }
    MemorySegment theirs = other.context.handle();
    boolean pushed = context.enter();
    try {
      int result = cuda_h.cuCtxEnablePeerAccess(theirs, 0);
      if (result != 0 && result != cuda_h.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED()) {
        throw context.failure(result, "cuCtxEnablePeerAccess", "to " + other.context.name());
      }
    } finally {
      context.leave(pushed);
    }
  }

  private static void requireSize(long size) {
    if (size < 1) {
      throw CudaFailures.invalid("size of memory: expected at least 1, got %d", size);
    }
  }

  @Override
  public DeviceMemory allocate(long size) {
    requireSize(size);
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result = cuda_h.cuMemAlloc_v2(out, size);
      if (result != 0) {
        throw context.failure(result, "cuMemAlloc", size + " bytes");
      }
      long address = out.get(ValueLayout.JAVA_LONG, 0);
      return new CudaMemory(
          this, MemoryKind.DEVICE, address, size, null, () -> free(address, size));
    } finally {
      context.leave(pushed);
    }
  }

  private void free(long address, long size) {
    boolean pushed = context.enter();
    try {
      int result = cuda_h.cuMemFree_v2(address);
      if (result != 0) {
        throw context.failure(result, "cuMemFree", size + " bytes");
      }
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public DeviceMemory allocateHost(long size) {
    requireSize(size);
    boolean pushed = context.enter();
    try {
      MemorySegment out = CudaContext.scratch();
      int result =
          cuda_h.cuMemHostAlloc(
              out, size, cuda_h.CU_MEMHOSTALLOC_PORTABLE() | cuda_h.CU_MEMHOSTALLOC_DEVICEMAP());
      if (result != 0) {
        throw context.failure(result, "cuMemHostAlloc", size + " bytes");
      }
      MemorySegment bare = out.get(ValueLayout.ADDRESS, 0);
      Arena arena = Arena.ofShared();
      CudaAddresses.addPinned(bare.address(), size);
      return new CudaMemory(
          this,
          MemoryKind.HOST,
          bare.address(),
          size,
          bare.reinterpret(size, arena, null),
          () -> {
            CudaAddresses.removePinned(bare.address());
            arena.close();
            unpin(cuda_h::cuMemFreeHost, "cuMemFreeHost", bare, size);
          });
    } finally {
      context.leave(pushed);
    }
  }

  @FunctionalInterface
  private interface PointerCall {
    int call(MemorySegment pointer);
  }

  private void unpin(PointerCall call, String name, MemorySegment pointer, long size) {
    boolean pushed = context.enter();
    try {
      int result = call.call(pointer);
      if (result != 0) {
        throw context.failure(result, name, size + " bytes");
      }
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public DeviceMemory registerHost(MemorySegment segment) {
    requireFeature(DeviceFeature.HOST_REGISTRATION);
    if (!CudaFailures.notNull(segment, "segment").isNative() || segment.byteSize() == 0) {
      throw CudaFailures.invalid("only native memory can be pinned, not %s", segment);
    }
    long size = segment.byteSize();
    boolean pushed = context.enter();
    try {
      int result =
          cuda_h.cuMemHostRegister_v2(
              segment,
              size,
              cuda_h.CU_MEMHOSTREGISTER_PORTABLE() | cuda_h.CU_MEMHOSTREGISTER_DEVICEMAP());
      if (result != 0) {
        throw context.failure(result, "cuMemHostRegister", size + " bytes");
      }
      CudaAddresses.addPinned(segment.address(), size);
      return new CudaMemory(
          this,
          MemoryKind.HOST,
          segment.address(),
          size,
          segment,
          () -> {
            CudaAddresses.removePinned(segment.address());
            unpin(cuda_h::cuMemHostUnregister, "cuMemHostUnregister", segment, size);
          });
    } finally {
      context.leave(pushed);
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
            && known.device() == ordinal) {
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

  /** Returns the place of bytes as one piece of this device's memory. */
  void requireOwn(long address, long size) {
    range(address, size);
  }

  @Override
  public byte[] exportMemory(long address, long size) {
    requireFeature(DeviceFeature.MEMORY_HANDLES);
    return share(address, size);
  }

  private byte[] share(long address, long size) {
    Range range = range(address, size);
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment handle = CUipcMemHandle_st.allocate(arena);
      int result = cuda_h.cuIpcGetMemHandle(handle, range.base);
      if (result != 0) {
        throw refused(result, "cuIpcGetMemHandle");
      }
      return new SharedHandle(
              ProcessHandle.current().pid(),
              handle.toArray(ValueLayout.JAVA_BYTE),
              address - range.base,
              size)
          .encode();
    } finally {
      context.leave(pushed);
    }
  }

  private DeviceException refused(int result, String call) {
    return CudaFailures.driver(
        CudaFailures.isSticky(result) ? DeviceFailure.DEVICE_LOST : DeviceFailure.IPC_REFUSED,
        result,
        call,
        context.name(),
        "memory of another process");
  }

  @Override
  public DeviceMemory importMemory(byte[] handle) {
    requireFeature(DeviceFeature.MEMORY_HANDLES);
    SharedHandle shared = SharedHandle.decode(handle);
    if (shared.process() == ProcessHandle.current().pid()) {
      throw CudaFailures.of(
          DeviceFailure.IPC_REFUSED,
          "%s: the driver opens no handle of its own process",
          context.name());
    }
    boolean pushed = context.enter();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment driver = CUipcMemHandle_st.allocate(arena);
      MemorySegment.copy(
          shared.driver(), 0, driver, ValueLayout.JAVA_BYTE, 0, SharedHandle.DRIVER_SIZE);
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      int result =
          cuda_h.cuIpcOpenMemHandle_v2(out, driver, cuda_h.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS());
      if (result != 0) {
        throw refused(result, "cuIpcOpenMemHandle");
      }
      long base = out.get(ValueLayout.JAVA_LONG, 0);
      return new CudaMemory(
          this,
          MemoryKind.DEVICE,
          base + shared.offset(),
          shared.size(),
          null,
          () -> closeShared(base));
    } finally {
      context.leave(pushed);
    }
  }

  private void closeShared(long base) {
    boolean pushed = context.enter();
    try {
      context.check(cuda_h.cuIpcCloseMemHandle(base), "cuIpcCloseMemHandle");
    } finally {
      context.leave(pushed);
    }
  }

  @Override
  public int exportDmaBuf(long address, long size) {
    requireFeature(DeviceFeature.DMABUF);
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

  @Override
  public DeviceStream createStream(boolean urgent) {
    return CudaStream.create(this, context, urgent);
  }

  @Override
  public DeviceStream wrapStream(long nativeHandle) {
    return CudaStream.wrap(this, context, nativeHandle);
  }

  @Override
  public DeviceEvent createEvent(boolean timed) {
    return CudaEvent.create(this, context, timed);
  }

  @Override
  public DeviceKernels kernels() {
    return kernels;
  }

  @Override
  public DeviceTeam joinTeam(DeviceTeamConfig config) {
    return joinTeam(config, TeamSizes.DEFAULT);
  }

  /** Joins a team whose memory has other sizes, the same on all ranks. */
  CudaTeam joinTeam(DeviceTeamConfig config, TeamSizes sizes) {
    return CudaTeam.join(this, CudaFailures.notNull(config, "config"), sizes);
  }

  /** Returns the stream as one of this device, open. */
  CudaStream stream(@Nullable DeviceStream stream) {
    if (!(stream instanceof CudaStream own) || own.device() != this) {
      throw CudaFailures.invalid("%s is no stream of %s", stream, context.name());
    }
    own.requireOpen();
    return own;
  }

  @Override
  public String toString() {
    return context.name();
  }
}
