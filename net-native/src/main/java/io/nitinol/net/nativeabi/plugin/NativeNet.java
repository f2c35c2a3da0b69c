// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.NetFunction.CLOSE_LISTEN;
import static io.nitinol.net.nativeabi.ffi.NetFunction.DEREG_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.FINALIZE;
import static io.nitinol.net.nativeabi.ffi.NetFunction.FLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.GET_DEVICE_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.NetFunction.INIT;
import static io.nitinol.net.nativeabi.ffi.NetFunction.IRECV_CONSUMED;
import static io.nitinol.net.nativeabi.ffi.NetFunction.LISTEN;
import static io.nitinol.net.nativeabi.ffi.NetFunction.MAKE_VDEVICE;
import static io.nitinol.net.nativeabi.ffi.NetFunction.REG_MR;
import static io.nitinol.net.nativeabi.ffi.NetFunction.REG_MR_DMA_BUF;
import static io.nitinol.net.nativeabi.ffi.NetFunction.SET_NET_ATTR;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.Arena;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One Java plugin made of a native network: what the classes of all versions share. Tokens are good
 * for the plugin that made them only, though the C plugin behind is one.
 */
final class NativeNet {
  /** What may be null in a plugin that works. */
  private static final Set<NetFunction> OPTIONAL =
      EnumSet.of(
          INIT,
          REG_MR_DMA_BUF,
          FLUSH,
          IFLUSH,
          GET_DEVICE_MR,
          IRECV_CONSUMED,
          MAKE_VDEVICE,
          SET_NET_ATTR);

  private final NativePlugin<NetFunction> plugin;
  private final NativeDevices<NetFunction> devices;
  private final Registrations<NetFunction> registrations;
  private final Listeners<NetFunction> listeners;
  private final NativeLinks links;
  private @Nullable NativeTransfers transfers;

  NativeNet(NativePlugin<NetFunction> plugin) {
    this.plugin = plugin;
    boolean old = plugin.table().has(NetFunction.PCI_PATH);
    List<NetFunction> required =
        plugin.table().functions().stream().filter(f -> !OPTIONAL.contains(f)).toList();
    this.devices =
        new NativeDevices<>(
            plugin,
            NetFunction.DEVICES,
            NetFunction.GET_PROPERTIES,
            old ? NetFunction.PCI_PATH : null,
            old ? NetFunction.PTR_SUPPORT : null,
            MAKE_VDEVICE,
            required,
            PropertyField.MAX_P2P_BYTES,
            NetProperties::maxP2pBytes);
    this.registrations = new Registrations<>(plugin, REG_MR, REG_MR_DMA_BUF, DEREG_MR);
    HandleCopies handles = new HandleCopies(plugin.table().version());
    this.listeners = new Listeners<>(this, plugin, devices, handles, LISTEN, CLOSE_LISTEN);
    this.links = new NativeLinks(this, plugin, devices, registrations, handles);
  }

  String name() {
    return plugin.name();
  }

  NativeDevices<NetFunction> devices() {
    return devices;
  }

  Listeners<NetFunction> listeners() {
    return listeners;
  }

  NativeLinks links() {
    return links;
  }

  Registrations<NetFunction> registrations() {
    return registrations;
  }

  /** Returns the messages; there are none before {@code init}. */
  NativeTransfers transfers() {
    NativeTransfers known = transfers;
    if (known == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, plugin + " is not initialized");
    }
    return known;
  }

  /** Starts the plugin, up to version 10; the profiler counts in version 10. */
  void init(DebugLogger logger, @Nullable NetProfiler profiler) {
    plugin.startOnce(
        logger,
        init -> {
          long log = plugin.log().address();
          return plugin.table().version() <= 9
              ? NativeCalls.p(init, log)
              : NativeCalls.pp(init, log, ProfilerCall.address(profiler));
        });
    transfers = new NativeTransfers(plugin);
  }

  /** Starts the plugin for a communicator, from version 11 on. */
  NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    long context;
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      plugin.start(
          logger,
          init ->
              NativeCalls.plppp(
                  init,
                  out.address(),
                  commId,
                  CommConfigs.address(config),
                  plugin.log().address(),
                  ProfilerCall.address(profiler)));
      plugin.requireIntact(out, INIT, "", "the context");
      context = out.bytes().get(JAVA_LONG, 0);
    }
    if (transfers == null) {
      transfers = new NativeTransfers(plugin);
    }
    return new NativeContext(this, context);
  }

  void finalizeContext(NetContext context) {
    NativeContext own = own(context);
    if (!own.close()) {
      throw notOwn("context", context);
    }
    plugin.finish(FINALIZE, own.address);
  }

  void setNetAttr(NetContext context, NetAttributes attributes) {
    NativeContext own = own(context);
    if (plugin.has(SET_NET_ATTR)) {
      try (Arena arena = Arena.ofConfined()) {
        GuardedMemory struct = AttributesWriter.struct(arena, attributes);
        plugin.check(
            NativeCalls.pp(plugin.function(SET_NET_ATTR), own.address, struct.address()),
            SET_NET_ATTR,
            "");
        plugin.requireIntact(struct, SET_NET_ATTR, "", "the attributes");
      }
    }
  }

  boolean supports(OptionalOperation operation) {
    return switch (operation) {
      case GET_DEVICE_MR -> plugin.has(GET_DEVICE_MR);
      case IRECV_CONSUMED -> plugin.has(IRECV_CONSUMED);
      case MAKE_VDEVICE -> plugin.has(MAKE_VDEVICE);
      case SET_NET_ATTR -> plugin.has(SET_NET_ATTR);
      case ALL_GATHER, REDUCE_SCATTER -> false;
    };
  }

  long getDeviceMr(Comm comm, @Nullable MemoryHandle handle) {
    NativeEnd end = own(comm);
    end.requireOpen();
    require(GET_DEVICE_MR);
    NativeRegistration memory = Registrations.of(end, handle);
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      String where = end.device.where();
      plugin.check(
          NativeCalls.ppp(
              plugin.function(GET_DEVICE_MR), end.address, memory.mhandle, out.address()),
          GET_DEVICE_MR,
          where);
      plugin.requireIntact(out, GET_DEVICE_MR, where, "the address");
      return out.bytes().get(JAVA_LONG, 0);
    }
  }

  void irecvConsumed(RecvComm comm, int n, Request request) {
    NativeRecvComm end = own(comm);
    NativeRequest own = own(request);
    end.requireWorking();
    if (!transfers().hasIrecvConsumed()) {
      throw lacks(IRECV_CONSUMED);
    }
    if (own.comm != end || !own.isComplete()) {
      throw notOwn("complete receive", request);
    }
    transfers().irecvConsumed(end, n, own);
  }

  private void require(NetFunction function) {
    if (!plugin.has(function)) {
      throw lacks(function);
    }
  }

  private NetException lacks(NetFunction function) {
    return new NetException(ResultCode.INVALID_USAGE, plugin + " has no " + function);
  }

  NativeSendComm own(@Nullable SendComm comm) {
    if (comm instanceof NativeSendComm own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("send comm", comm);
  }

  NativeRecvComm own(@Nullable RecvComm comm) {
    if (comm instanceof NativeRecvComm own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("receive comm", comm);
  }

  NativeEnd own(@Nullable Comm comm) {
    if (comm instanceof NativeEnd own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("comm", comm);
  }

  NativeListener own(@Nullable ListenComm listener) {
    if (listener instanceof NativeListener own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("listener", listener);
  }

  NativeRequest own(@Nullable Request request) {
    if (request instanceof NativeRequest own && own.comm.plugin == this) {
      return own;
    }
    throw notOwn("request", request);
  }

  NativeContext own(@Nullable NetContext context) {
    if (context instanceof NativeContext own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("context", context);
  }

  private NetException notOwn(String what, @Nullable Object token) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        what + ": expected a live one of " + plugin.name() + ", got " + token);
  }
}
