// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;
import io.nitinol.net.ib.ffi.ibv_device;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A device of a {@link DeviceList}, not open. */
public final class VerbsDevice {
  private final MemorySegment device;
  private final String name;
  private final long guid;
  private final int nodeType;
  private final String sysfsPath;
  private final String fileName;
  private boolean freed;

  VerbsDevice(MemorySegment device, MemorySegment errno) {
    this.device = ibv_device.reinterpret(device);
    this.name = CLibrary.text(verbs_h.ibv_get_device_name(errno, device));
    this.guid = Long.reverseBytes(verbs_h.ibv_get_device_guid(errno, device));
    this.nodeType = ibv_device.node_type(this.device);
    this.sysfsPath = ibv_device.ibdev_path(this.device).getString(0);
    this.fileName = ibv_device.dev_name(this.device).getString(0);
  }

  /** {@return the name, such as {@code mlx5_0}} */
  public String name() {
    return name;
  }

  /** {@return the node GUID as a number, most significant byte first on paper} */
  public long guid() {
    return guid;
  }

  /**
   * {@return what kind of node it is, in the library's words, such as {@code InfiniBand channel
   * adapter}}
   */
  public String nodeType() {
    try (Arena arena = Arena.ofConfined()) {
      return CLibrary.text(verbs_h.ibv_node_type_str(ErrnoSegment.in(arena), nodeType));
    }
  }

  /** {@return the device's directory in sysfs, such as {@code /sys/class/infiniband/mlx5_0}} */
  public String sysfsPath() {
    return sysfsPath;
  }

  /** {@return the name of its file below /dev/infiniband, such as {@code uverbs0}} */
  public String fileName() {
    return fileName;
  }

  /**
   * Opens the device.
   *
   * @return the open device, to be closed; it outlives the list
   * @throws VerbsException where it cannot be opened, above all for want of permission
   */
  public VerbsContext open() {
    if (freed) {
      throw new IllegalStateException("the list that " + name + " is of is closed");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment context = verbs_h.ibv_open_device(errno, device);
      if (context.address() == 0) {
        throw VerbsFailure.of(
            "ibv_open_device",
            " of " + name + " (/dev/infiniband/" + fileName + ")",
            ErrnoSegment.of(errno));
      }
      return new VerbsContext(context, name);
    }
  }

  void freed() {
    freed = true;
  }

  @Override
  public String toString() {
    return name;
  }
}
