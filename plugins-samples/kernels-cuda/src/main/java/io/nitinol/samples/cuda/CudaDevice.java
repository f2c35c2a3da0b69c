// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.CUuuid_st;
import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A device as the driver numbers it, with its primary context. */
final class CudaDevice implements Device {
  /** The first compute capability whose launches overlap. */
  private static final int OVERLAPS = 90;

  /** The first compute capability that the committed PTX is for. */
  private static final int LEAST_CAPABILITY = 80;

  private static final Set<KernelFamily> LOCAL = EnumSet.of(KernelFamily.LOCAL);

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
  private final PairStreams.Budget pairStreams = new PairStreams.Budget();
  private final KeptMemory kept = new KeptMemory();
  private final CudaAllocations allocations;
  private final CudaSharing sharing;

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
    this.modules = new KernelModules(new ModuleLoader(context, capability)::load);
    this.kernels = new CudaKernels(this, modules);
    this.allocations = new CudaAllocations(this, context);
    this.sharing = new CudaSharing(this, context);
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

  /** {@return how many streams of pairs are left for teams} */
  PairStreams.Budget pairStreams() {
    return pairStreams;
  }

  /** {@return the memory of closed teams} */
  KeptMemory kept() {
    return kept;
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
      case MEMORY_HANDLES -> sharing.hasMemoryHandles();
      case DMABUF ->
          attribute(cuda_h.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED()) != 0 && sharing.hasDmaBuf();
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

  /** Returns 10 × major + minor of the compute capability. */
  int capability() {
    return capability;
  }

  /** Returns whether the driver lets network cards use the device's memory. */
  boolean networkAccess() {
    return attribute(cuda_h.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED()) != 0;
  }

  private void requireFeature(DeviceFeature feature) {
    if (!supports(feature)) {
      throw CudaFailures.of(
          DeviceFailure.UNSUPPORTED, "%s does not support %s", context.name(), feature);
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

  /** {@return whether a launch may begin before the last one ends} */
  boolean overlapsLaunches() {
    return capability >= OVERLAPS;
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

  @Override
  public DeviceMemory allocate(long size) {
    return allocations.allocate(size);
  }

  @Override
  public DeviceMemory allocateHost(long size) {
    return allocations.allocateHost(size);
  }

  @Override
  public DeviceMemory registerHost(MemorySegment segment) {
    requireFeature(DeviceFeature.HOST_REGISTRATION);
    return allocations.register(segment);
  }

  /** Refuses bytes that are not one piece of this device's memory. */
  void requireOwn(long address, long size) {
    sharing.requireOwn(address, size);
  }

  @Override
  public byte[] exportMemory(long address, long size) {
    requireFeature(DeviceFeature.MEMORY_HANDLES);
    return sharing.share(address, size);
  }

  @Override
  public DeviceMemory importMemory(byte[] handle) {
    requireFeature(DeviceFeature.MEMORY_HANDLES);
    return sharing.open(handle);
  }

  @Override
  public int exportDmaBuf(long address, long size) {
    requireFeature(DeviceFeature.DMABUF);
    return sharing.dmaBuf(address, size);
  }

  /** Before there is a stream nothing of this provider runs that a module would wait for. */
  private void loadLocalKernels() {
    if (hasKernels()) {
      modules.load(LOCAL);
    }
  }

  @Override
  public DeviceStream createStream(boolean urgent) {
    loadLocalKernels();
    return CudaStream.create(this, context, urgent);
  }

  @Override
  public DeviceStream wrapStream(long nativeHandle) {
    loadLocalKernels();
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
