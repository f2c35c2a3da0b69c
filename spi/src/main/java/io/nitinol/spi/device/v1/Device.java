// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One device of a provider: what it is, and the source of its memory, streams and events. Lives as
 * long as the process and is never closed. Addresses are those of one address space, shared by the
 * host and all devices of the provider, as the three drivers have it.
 */
public interface Device {

  /** {@return the place of this device in {@link DeviceProvider#devices}} */
  int index();

  /** {@return the model, for example {@code NVIDIA H200}; not blank} */
  String name();

  /**
   * Returns the address of the device on the PCI bus, by which it is compared with network cards.
   *
   * @return domain, bus, device and function as in {@code /sys/bus/pci/devices}, lower case, for
   *     example {@code 0000:4e:00.0}; null where it is on no PCI bus
   */
  @Nullable String pciId();

  /**
   * Returns what identifies the device on this host: the same text in every process, whatever
   * devices that process sees, and another one for every other device.
   *
   * @return printable ASCII without spaces, for example {@code GPU-} and 32 hexadecimal digits
   */
  String uuid();

  /** {@return the size of the device's memory in bytes, used or not} */
  long memorySize();

  /** {@return how many processors run the blocks of a kernel (SMs, CUs, Xe cores); at least 1} */
  int processors();

  /**
   * Returns whether this device can do something. The same answer each time.
   *
   * @param feature what it might lack
   * @return true if the operations that need it work here, with this driver and these rights
   */
  boolean supports(DeviceFeature feature);

  /**
   * Returns whether kernels and copies of this device can use the memory of another one directly,
   * after {@link #enablePeerAccess}.
   *
   * @param peer a device of the same provider
   * @return true if they can; true for the device itself
   * @throws DeviceException with INVALID_ARGUMENT for a device of another provider
   */
  boolean canAccess(Device peer);

  /**
   * Returns how this device reaches another one, directly or not.
   *
   * @param peer a device of the same provider
   * @return the link
   * @throws DeviceException with INVALID_ARGUMENT for a device of another provider
   */
  DeviceLink link(Device peer);

  /**
   * Lets this device use the memory of another one, for the rest of the process. Repeating the call
   * does nothing. Takes one direction; the other needs a call of its own.
   *
   * @param peer a device of the same provider
   * @throws DeviceException with UNSUPPORTED where {@link #canAccess} is false
   */
  void enablePeerAccess(Device peer);

  /**
   * Allocates memory of this device. Its content is undefined. May wait for the device.
   *
   * @param size the number of bytes, at least 1
   * @return the memory at an address divisible by 256, owned by the caller until {@link
   *     DeviceMemory#close}
   * @throws DeviceException with OUT_OF_MEMORY; with INVALID_ARGUMENT for a size below 1
   */
  DeviceMemory allocate(long size);

  /**
   * Allocates host memory that is pinned and that every device of the provider reaches at the
   * address by which the CPU knows it. Its content is undefined.
   *
   * @param size the number of bytes, at least 1
   * @return the memory at an address divisible by 256, owned by the caller until {@link
   *     DeviceMemory#close}
   * @throws DeviceException with OUT_OF_MEMORY; with INVALID_ARGUMENT for a size below 1
   */
  DeviceMemory allocateHost(long size);

  /**
   * Pins existing host memory, so that it is used like that of {@link #allocateHost}. Needs {@link
   * DeviceFeature#HOST_REGISTRATION}.
   *
   * @param segment a native segment of at least 1 byte that stays the caller's and stays alive
   *     until the registration is closed
   * @return the registration; closing it unpins the memory and frees nothing. Its address is the
   *     segment's
   * @throws DeviceException with INVALID_ARGUMENT for a segment that is not native; with
   *     INVALID_STATE where a byte of it is pinned already
   */
  default DeviceMemory registerHost(MemorySegment segment) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.HOST_REGISTRATION);
  }

  /**
   * Makes a handle by which another process of this host opens a piece of this device's memory.
   * Needs {@link DeviceFeature#MEMORY_HANDLES}. The memory may be another library's. The allocation
   * that it lies in becomes accessible to the other process as a whole.
   *
   * @param address the first byte
   * @param size the number of bytes, at least 1, all in one allocation
   * @return {@link DeviceProvider#memoryHandleSize} bytes, good until the allocation is freed. They
   *     contain where the piece lies in the allocation
   * @throws DeviceException with INVALID_ARGUMENT where the bytes are not in one allocation of this
   *     device; with IPC_REFUSED where that allocation cannot be shared
   */
  default byte[] exportMemory(long address, long size) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.MEMORY_HANDLES);
  }

  /**
   * Opens memory of another process for this device, which enables peer access to its device.
   * Handles of one allocation may be opened any number of times. Needs {@link
   * DeviceFeature#MEMORY_HANDLES}.
   *
   * @param handle what {@link #exportMemory} returned in another process of this host, for memory
   *     of this device or one that {@link #canAccess} names
   * @return the memory, whose address is that of the exported piece as this process sees it; closed
   *     before the exporting process frees it
   * @throws DeviceException with IPC_REFUSED where it cannot be opened, also where a driver refuses
   *     the handle of its own process; with INVALID_ARGUMENT for bytes that are no handle
   */
  default DeviceMemory importMemory(byte[] handle) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.MEMORY_HANDLES);
  }

  /**
   * Makes a dma-buf descriptor of a piece of this device's memory, by which a network card
   * registers it. Needs {@link DeviceFeature#DMABUF}.
   *
   * @param address the first byte, at the beginning of a page of the host
   * @param size the number of bytes, whole pages of the host, all in one allocation
   * @return the descriptor, whose byte 0 is that of {@code address}; the caller closes it
   * @throws DeviceException with INVALID_ARGUMENT where address or size are not of whole pages, or
   *     the bytes not in one allocation of this device
   */
  default int exportDmaBuf(long address, long size) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.DMABUF);
  }

  /**
   * Creates a stream, which waits for no other one, not even the driver's default stream.
   *
   * @param urgent a wish: where processors are scarce, its work goes before that of streams that
   *     are not urgent
   * @return the stream, owned by the caller until {@link DeviceStream#close}
   */
  DeviceStream createStream(boolean urgent);

  /**
   * Takes a stream of another library, so that work is put into its order. Needs {@link
   * DeviceFeature#FOREIGN_STREAMS}.
   *
   * @param nativeHandle the driver's handle of a stream of this device, as {@link
   *     DeviceStream#nativeHandle} gives it, or 0 for the default stream of a driver that has one;
   *     stays the other library's, and is alive while the wrapper is used
   * @return the stream; closing it leaves the other library's as it is
   * @throws DeviceException with INVALID_ARGUMENT where the driver does not know the handle or it
   *     is of another device, if the driver can tell
   */
  default DeviceStream wrapStream(long nativeHandle) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.FOREIGN_STREAMS);
  }

  /**
   * Creates an event.
   *
   * @param timed whether {@link DeviceEvent#elapsedNanos} can use it; one that is not is cheaper
   * @return the event, owned by the caller until {@link DeviceEvent#close}; not recorded, which
   *     counts as complete
   */
  DeviceEvent createEvent(boolean timed);

  /** {@return what this device computes on buffers that it reaches; the same object each time} */
  DeviceKernels kernels();

  /**
   * Joins a team: the ranks that run fused collectives with each other. Every rank of the team
   * calls this at the same time, on a thread of its own; the call waits for the others in {@link
   * TeamExchange#exchange}. Needs {@link DeviceFeature#TEAMS}.
   *
   * @param config the team and the place of this rank in it
   * @return this rank's end, owned by the caller until {@link DeviceTeam#close}
   * @throws DeviceException with UNSUPPORTED where the devices of these ranks cannot form a team;
   *     with IPC_REFUSED where the processes cannot open each other's memory; then on every rank,
   *     and nothing is left behind
   */
  default DeviceTeam joinTeam(DeviceTeamConfig config) {
    throw DeviceOptions.unsupported(name(), DeviceFeature.TEAMS);
  }
}
