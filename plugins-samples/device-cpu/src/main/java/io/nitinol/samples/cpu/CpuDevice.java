// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

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
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.kernel.v1.KernelProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One of the twin's devices: a part of shared memory with an index. */
final class CpuDevice implements Device {
  private static final int ALIGNMENT = 256;

  private final int index;
  private final long memorySize;
  private final CpuKernels kernels;
  private final AtomicLong used = new AtomicLong();

  /** Devices whose memory this one may use; guarded by itself. */
  private final BitSet reached = new BitSet();

  CpuDevice(int index, long memorySize, KernelProvider kernels) {
    this.index = index;
    this.memorySize = memorySize;
    this.kernels = new CpuKernels(this, kernels);
    reached.set(index);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public String name() {
    return "CPU twin " + index;
  }

  @Override
  public @Nullable String pciId() {
    return null;
  }

  @Override
  public String uuid() {
    return "CPU-" + index;
  }

  @Override
  public long memorySize() {
    return memorySize;
  }

  @Override
  public int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public boolean supports(DeviceFeature feature) {
    return switch (CpuFailures.notNull(feature, "feature")) {
      case MEMORY_HANDLES, HOST_REGISTRATION, FOREIGN_STREAMS, STREAM_VALUES, GRAPHS, TEAMS -> true;
      case DMABUF -> false;
    };
  }

  @Override
  public boolean canAccess(Device peer) {
    own(peer);
    return true;
  }

  @Override
  public DeviceLink link(Device peer) {
    return own(peer) == this
        ? new DeviceLink(DeviceLink.Kind.SELF, 0, true)
        : new DeviceLink(DeviceLink.Kind.HOST, 0, true);
  }

  @Override
  public void enablePeerAccess(Device peer) {
    enable(own(peer).index);
  }

  private void enable(int peer) {
    synchronized (reached) {
      reached.set(peer);
    }
  }

  private static CpuDevice own(Device device) {
    if (!(device instanceof CpuDevice own)) {
      throw CpuFailures.invalid("%s is no device of this provider", device);
    }
    return own;
  }

  /**
   * Returns the bytes at an address that this device reaches.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_ARGUMENT for a foreign address, a
   *     range that leaves its allocation, and memory of a peer without access
   */
  MemorySegment reach(long address, long size) {
    if (size < 0) {
      throw CpuFailures.invalid("the size is negative: %d", size);
    }
    if (size == 0) {
      return MemorySegment.NULL;
    }
    Region region = CpuAddressSpace.find(address);
    if (region == null || !region.range().contains(address, size)) {
      throw CpuFailures.invalid("%s knows no memory at 0x%x of %d bytes", name(), address, size);
    }
    synchronized (reached) {
      if (region.kind() == MemoryKind.DEVICE && !reached.get(region.device())) {
        throw CpuFailures.invalid(
            "%s has no access to memory of device %d: enablePeerAccess comes first",
            name(), region.device());
      }
    }
    return region.segment().asSlice(region.range().offsetOf(address), size);
  }

  private boolean reserve(long size) {
    long before;
    do {
      before = used.get();
      if (size > memorySize - before) {
        return false;
      }
    } while (!used.compareAndSet(before, before + size));
    return true;
  }

  @Override
  public DeviceMemory allocate(long size) {
    requireSize(size);
    if (!reserve(size)) {
      throw CpuFailures.of(
          DeviceFailure.OUT_OF_MEMORY,
          "%s has %d bytes in all, and not %d more",
          name(),
          memorySize,
          size);
    }
    Arena arena = Arena.ofShared();
    try {
      CpuSharedHandle handle = CpuSharedHandle.ofThisProcess(index, SharedFile.newToken(), 0, size);
      SharedFile file = handle.file();
      MemorySegment segment = file.create(arena, size);
      Region region = new Region(MemoryKind.DEVICE, index, segment, handle);
      CpuAddressSpace.add(region);
      return new CpuMemory(
          this,
          region,
          () -> {
            file.unlink();
            arena.close();
            used.addAndGet(-size);
          });
    } catch (RuntimeException e) {
      arena.close();
      used.addAndGet(-size);
      throw e;
    }
  }

  @Override
  public DeviceMemory allocateHost(long size) {
    requireSize(size);
    Arena arena = Arena.ofShared();
    try {
      return hold(arena.allocate(size, ALIGNMENT), arena::close);
    } catch (OutOfMemoryError | IllegalArgumentException e) {
      arena.close();
      throw CpuFailures.of(DeviceFailure.OUT_OF_MEMORY, e, "the host has no %d bytes: %s", size, e);
    }
  }

  private static void requireSize(long size) {
    if (size < 1) {
      throw CpuFailures.invalid("size of an allocation: expected at least 1, got %d", size);
    }
  }

  @Override
  public DeviceMemory registerHost(MemorySegment segment) {
    if (!CpuFailures.notNull(segment, "segment").isNative() || segment.byteSize() == 0) {
      throw CpuFailures.invalid("only native memory can be pinned, not %s", segment);
    }
    return hold(segment, () -> {});
  }

  private CpuMemory hold(MemorySegment segment, Runnable release) {
    Region region = new Region(MemoryKind.HOST, MemoryRange.NO_DEVICE, segment, null);
    CpuAddressSpace.add(region);
    return new CpuMemory(this, region, release);
  }

  @Override
  public byte[] exportMemory(long address, long size) {
    Region region = CpuAddressSpace.find(address);
    CpuSharedHandle handle = region == null ? null : region.handle();
    if (region == null
        || handle == null
        || region.device() != index
        || size < 1
        || !region.range().contains(address, size)) {
      throw CpuFailures.invalid(
          "%d bytes at 0x%x are not in one allocation of %s", size, address, name());
    }
    return handle.piece(region.range().offsetOf(address), size).encode();
  }

  @Override
  public DeviceMemory importMemory(byte[] handle) {
    CpuSharedHandle shared = CpuSharedHandle.decode(handle);
    shared.requireAlive();
    Arena arena = Arena.ofShared();
    try {
      MemorySegment segment = shared.file().open(arena, shared.offset(), shared.size());
      Region region = new Region(MemoryKind.DEVICE, shared.device(), segment, shared);
      CpuAddressSpace.add(region);
      enable(shared.device());
      return new CpuMemory(this, region, arena::close);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public DeviceStream createStream(boolean urgent) {
    return CpuStream.create(this);
  }

  @Override
  public DeviceStream wrapStream(long nativeHandle) {
    return CpuStream.wrap(this, nativeHandle);
  }

  @Override
  public DeviceEvent createEvent(boolean timed) {
    return new CpuEvent(this, timed);
  }

  @Override
  public DeviceKernels kernels() {
    return kernels;
  }

  @Override
  public DeviceTeam joinTeam(DeviceTeamConfig config) {
    return CpuTeam.join(this, kernels, CpuFailures.notNull(config, "config"));
  }

  /** Returns the stream as one of this device. */
  CpuStream stream(DeviceStream stream) {
    if (!(stream instanceof CpuStream own) || own.device() != this) {
      throw CpuFailures.invalid("%s is no stream of %s", stream, name());
    }
    return own;
  }

  @Override
  public String toString() {
    return name();
  }
}
