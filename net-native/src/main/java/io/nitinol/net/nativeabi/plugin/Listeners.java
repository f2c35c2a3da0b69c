// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.spi.NetException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Opens and closes listeners, which networks and collective networks have alike.
 *
 * @param <F> the functions of the struct
 */
final class Listeners<F extends Enum<F>> {
  private final Object owner;
  private final NativePlugin<F> plugin;
  private final NativeDevices<F> devices;
  private final HandleCopies handles;
  private final F listen;
  private final F close;

  /**
   * Makes them.
   *
   * @param owner the Java plugin whose listeners they are
   */
  Listeners(
      Object owner,
      NativePlugin<F> plugin,
      NativeDevices<F> devices,
      HandleCopies handles,
      F listen,
      F close) {
    this.owner = owner;
    this.plugin = plugin;
    this.devices = devices;
    this.handles = handles;
    this.listen = listen;
    this.close = close;
  }

  /** Listens; the context counts from version 11 on. */
  NativeListener open(long context, int device, MemorySegment handle) {
    devices.require(device);
    handles.require(handle);
    String where = devices.facts(device).where();
    GuardedMemory copy = handles.copy(handle);
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      MemorySegment function = plugin.function(listen);
      int result =
          plugin.table().version() <= 10
              ? NativeCalls.ipp(function, device, copy.address(), out.address())
              : NativeCalls.pipp(function, context, device, copy.address(), out.address());
      plugin.check(result, listen, where);
      long made = out.bytes().get(JAVA_LONG, 0);
      if (made == 0) {
        throw plugin.defect(listen, where, "gave no listener");
      }
      NativeListener listener = new NativeListener(owner, made, device);
      try {
        plugin.requireIntact(copy, listen, where, "the handle");
        plugin.requireIntact(out, listen, where, "the listener");
      } catch (NetException e) {
        try {
          close(listener);
        } catch (NetException also) {
          e.addSuppressed(also);
        }
        throw e;
      }
      handles.copyBack(copy, handle);
      return listener;
    } finally {
      handles.release(copy);
    }
  }

  void close(NativeListener listener) {
    listener.close();
    plugin.check(
        NativeCalls.p(plugin.function(close), listener.address),
        close,
        " on device " + listener.device);
  }
}
