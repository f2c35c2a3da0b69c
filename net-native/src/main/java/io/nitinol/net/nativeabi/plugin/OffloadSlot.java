// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.DeviceHandleLayout;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetDeviceType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The last argument of {@code connect} and {@code accept} from version 7 on: a pointer to a pointer
 * to a device handle. Where it points to a handle, the caller asks for device offload; a plugin
 * that offloads makes it point to its own.
 */
final class OffloadSlot {
  private final GuardedMemory pointer;
  private final GuardedMemory asked;
  private final @Nullable DeviceHandle @Nullable [] caller;
  private final @Nullable DeviceHandle wanted;

  /**
   * Prepares the argument for one call.
   *
   * @param caller the caller's array of one element; null before version 7
   */
  OffloadSlot(Arena arena, @Nullable DeviceHandle @Nullable [] caller) {
    this.caller = caller;
    this.pointer = new GuardedMemory(arena, Long.BYTES);
    this.asked = new GuardedMemory(arena, DeviceHandleLayout.BYTES);
    if (caller != null && caller.length == 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "the array for the device handle has no elements");
    }
    DeviceHandle handle = caller == null ? null : caller[0];
    this.wanted = handle;
    if (handle != null) {
      MemorySegment struct = asked.bytes();
      struct.set(JAVA_INT, DeviceHandleLayout.TYPE, handle.type().code());
      struct.set(JAVA_INT, DeviceHandleLayout.VERSION, handle.version());
      struct.set(JAVA_LONG, DeviceHandleLayout.HANDLE, handle.handle());
      struct.set(JAVA_LONG, DeviceHandleLayout.SIZE, handle.size());
      struct.set(
          JAVA_INT, DeviceHandleLayout.NEEDS_PROXY_PROGRESS, handle.needsProxyProgress() ? 1 : 0);
      pointer.bytes().set(JAVA_LONG, 0, asked.address());
    }
  }

  /** Returns what the plugin is given. */
  long address() {
    return pointer.address();
  }

  /**
   * Gives the caller what the plugin left.
   *
   * @param connected whether there is a comm; without one the caller asks again, with what it had
   */
  <F extends Enum<F>> void take(
      NativePlugin<F> plugin, F function, String where, boolean connected) {
    plugin.requireIntact(pointer, function, where, "the pointer to the device handle");
    plugin.requireIntact(asked, function, where, "the device handle");
    if (caller == null || caller.length == 0 || !connected) {
      return;
    }
    caller[0] = null;
    long address = pointer.bytes().get(JAVA_LONG, 0);
    if (address == 0) {
      return;
    }
    MemorySegment struct;
    if (address == asked.address()) {
      struct = asked.bytes();
    } else {
      if (MemoryMap.now().readable(address, DeviceHandleLayout.BYTES) < DeviceHandleLayout.BYTES) {
        throw plugin.defect(
            function, where, "gives 0x" + Long.toHexString(address) + " for a device handle");
      }
      struct = MemorySegment.ofAddress(address).reinterpret(DeviceHandleLayout.BYTES);
    }
    int code = struct.get(JAVA_INT, DeviceHandleLayout.TYPE);
    NetDeviceType type =
        NetDeviceType.ofCode(code)
            .orElseThrow(
                () -> plugin.defect(function, where, "gives a device handle of type " + code));
    DeviceHandle given =
        new DeviceHandle(
            type,
            struct.get(JAVA_INT, DeviceHandleLayout.VERSION),
            struct.get(JAVA_LONG, DeviceHandleLayout.HANDLE),
            struct.get(JAVA_LONG, DeviceHandleLayout.SIZE),
            struct.get(JAVA_INT, DeviceHandleLayout.NEEDS_PROXY_PROGRESS) != 0);
    if (type != NetDeviceType.HOST && !given.equals(wanted)) { // what was asked, left alone, is no
      caller[0] = given;
    }
  }
}
