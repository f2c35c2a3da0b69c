// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.NetFunction.ACCEPT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_RECV;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_SEND;
import static io.nitinol.net.nativeabi.ffi.NetFunction.CONNECT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV_CONSUMED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetCommConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Makes and ends the connections of a native network plugin. */
final class NativeLinks {
  private final NativeNet owner;
  private final NativePlugin<NetFunction> plugin;
  private final NativeDevices<NetFunction> devices;
  private final Registrations<NetFunction> registrations;
  private final HandleCopies handles;
  private final int version;

  NativeLinks(
      NativeNet owner,
      NativePlugin<NetFunction> plugin,
      NativeDevices<NetFunction> devices,
      Registrations<NetFunction> registrations,
      HandleCopies handles) {
    this.owner = owner;
    this.plugin = plugin;
    this.devices = devices;
    this.registrations = registrations;
    this.version = plugin.table().version();
    this.handles = handles;
  }

  /** Connects; the context counts from version 11 on, the config in version 10. */
  @Nullable NativeSendComm connect(
      long context,
      int device,
      @Nullable NetCommConfig config,
      MemorySegment handle,
      @Nullable DeviceHandle @Nullable [] deviceHandle) {
    devices.require(device);
    handles.require(handle);
    DeviceFacts facts = devices.facts(device);
    String where = facts.where();
    GuardedMemory copy = handles.copy(handle);
    boolean goesOn = false;
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      OffloadSlot offload = new OffloadSlot(arena, deviceHandle);
      MemorySegment function = plugin.function(CONNECT);
      int result;
      if (version <= 6) {
        result = NativeCalls.ipp(function, device, copy.address(), out.address());
      } else if (version <= 9) {
        result =
            NativeCalls.ippp(function, device, copy.address(), out.address(), offload.address());
      } else if (version == 10) {
        long asked = CommConfigs.address(config == null ? NetCommConfig.DEFAULT : config);
        result =
            NativeCalls.ipppp(
                function, device, asked, copy.address(), out.address(), offload.address());
      } else {
        result =
            NativeCalls.pippp(
                function, context, device, copy.address(), out.address(), offload.address());
      }
      plugin.check(result, CONNECT, where);
      NativeSendComm comm = null;
      long made = out.bytes().get(JAVA_LONG, 0);
      if (made != 0) {
        comm = new NativeSendComm(owner, made, facts, NativeScratch.of(facts.maxRecvs()));
      }
      try {
        plugin.requireIntact(copy, CONNECT, where, "the handle");
        plugin.requireIntact(out, CONNECT, where, "the comm");
        offload.take(plugin, CONNECT, where, comm != null);
      } catch (RuntimeException e) {
        throw withdraw(comm, e);
      }
      handles.copyBack(copy, handle);
      goesOn = comm == null;
      return comm;
    } finally {
      if (goesOn) {
        handles.keep(copy, handle);
      } else {
        handles.release(copy);
      }
    }
  }

  @Nullable NativeRecvComm accept(
      NativeListener listener, @Nullable DeviceHandle @Nullable [] deviceHandle) {
    DeviceFacts facts = devices.facts(listener.device);
    String where = facts.where();
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      OffloadSlot offload = new OffloadSlot(arena, deviceHandle);
      MemorySegment function = plugin.function(ACCEPT);
      int result =
          version <= 6
              ? NativeCalls.pp(function, listener.address, out.address())
              : NativeCalls.ppp(function, listener.address, out.address(), offload.address());
      plugin.check(result, ACCEPT, where);
      NativeRecvComm comm = null;
      long made = out.bytes().get(JAVA_LONG, 0);
      if (made != 0) {
        boolean consumes = plugin.has(IRECV_CONSUMED);
        comm = new NativeRecvComm(owner, made, facts, NativeScratch.of(facts.maxRecvs()), consumes);
      }
      try {
        plugin.requireIntact(out, ACCEPT, where, "the comm");
        offload.take(plugin, ACCEPT, where, comm != null);
      } catch (RuntimeException e) {
        throw withdraw(comm, e);
      }
      return comm;
    }
  }

  /** Closes what the caller does not get; returns why it does not. */
  private RuntimeException withdraw(@Nullable NativeEnd comm, RuntimeException reason) {
    if (comm != null) {
      try {
        close(comm);
      } catch (NetException e) {
        reason.addSuppressed(e);
      }
    }
    return reason;
  }

  /** Closes one end, with the registrations that are left. */
  void close(NativeEnd comm) {
    NetFunction function = comm instanceof NativeSendComm ? CLOSE_SEND : CLOSE_RECV;
    comm.close();
    registrations.undoAll(comm);
    int result = NativeCalls.p(plugin.function(function), comm.address);
    comm.scratch.release();
    plugin.check(result, function, comm.device.where());
  }
}
