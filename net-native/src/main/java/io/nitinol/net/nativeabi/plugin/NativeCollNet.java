// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CLOSE_COLL;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CLOSE_LISTEN;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.CONNECT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.DEREG_MR;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.FINALIZE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IALLGATHER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IFLUSH;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.INIT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.IREDUCESCATTER;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.LISTEN;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.MAKE_VDEVICE;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REDUCE_SUPPORT;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REG_MR;
import static io.nitinol.net.nativeabi.ffi.CollNetFunction.REG_MR_DMA_BUF;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One Java plugin made of a native collective network: what the classes of all versions share. */
final class NativeCollNet {
  /** What may be null in a plugin that works. */
  private static final Set<CollNetFunction> OPTIONAL =
      EnumSet.of(INIT, REG_MR_DMA_BUF, IALLGATHER, IREDUCESCATTER, IFLUSH, MAKE_VDEVICE);

  private final NativePlugin<CollNetFunction> plugin;
  private final NativeDevices<CollNetFunction> devices;
  private final Registrations<CollNetFunction> registrations;
  private final HandleCopies handles;
  private final Listeners<CollNetFunction> listeners;
  private final int version;
  private @Nullable NativeCollectives collectives;

  NativeCollNet(NativePlugin<CollNetFunction> plugin) {
    this.plugin = plugin;
    this.version = plugin.table().version();
    List<CollNetFunction> required =
        plugin.table().functions().stream().filter(f -> !OPTIONAL.contains(f)).toList();
    this.devices =
        new NativeDevices<>(
            plugin,
            CollNetFunction.DEVICES,
            CollNetFunction.GET_PROPERTIES,
            null,
            null,
            MAKE_VDEVICE,
            required,
            PropertyField.MAX_COLL_BYTES,
            // Before, the int that counts the elements is the only limit.
            properties -> version >= 9 ? properties.maxCollBytes() : Long.MAX_VALUE);
    this.registrations = new Registrations<>(plugin, REG_MR, REG_MR_DMA_BUF, DEREG_MR);
    this.handles = new HandleCopies(version);
    this.listeners = new Listeners<>(this, plugin, devices, handles, LISTEN, CLOSE_LISTEN);
  }

  String name() {
    return plugin.name();
  }

  NativeDevices<CollNetFunction> devices() {
    return devices;
  }

  Registrations<CollNetFunction> registrations() {
    return registrations;
  }

  /** Returns the operations; there are none before {@code init}. */
  NativeCollectives collectives() {
    NativeCollectives known = collectives;
    if (known == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, plugin + " is not initialized");
    }
    return known;
  }

  /** Starts the plugin, up to version 10. */
  void init(DebugLogger logger) {
    plugin.startOnce(logger, init -> NativeCalls.p(init, plugin.log().address()));
    collectives = new NativeCollectives(plugin);
  }

  /** Starts the plugin for a communicator, from version 11 on. */
  NetContext init(long commId, DebugLogger logger) {
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      plugin.start(
          logger, init -> CollCalls.plp(init, out.address(), commId, plugin.log().address()));
      plugin.requireIntact(out, INIT, "", "the context");
      if (collectives == null) {
        collectives = new NativeCollectives(plugin);
      }
      return new NativeContext(this, out.bytes().get(JAVA_LONG, 0));
    }
  }

  void finalizeContext(NetContext context) {
    NativeContext own = own(context);
    if (!own.close()) {
      throw notOwn("context", context);
    }
    plugin.finish(FINALIZE, own.address);
  }

  /** Listens; the context counts from version 11 on. */
  ListenComm listen(long context, int device, MemorySegment handle) {
    return listeners.open(context, device, handle);
  }

  CollComm connect(MemorySegment[] members, int nranks, int rank, ListenComm listenComm) {
    NativeListener listener = own(listenComm);
    if (nranks < 1 || members.length < nranks || rank < 0 || rank >= nranks) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "group: rank " + rank + " of " + nranks + " with " + members.length + " handles");
    }
    for (int i = 0; i < nranks; i++) {
      handles.require(members[i]);
    }
    DeviceFacts facts = devices.facts(listener.device);
    String where = facts.where();
    GuardedMemory[] copies = new GuardedMemory[nranks];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate((long) Long.BYTES * nranks, Long.BYTES);
      for (int i = 0; i < nranks; i++) {
        copies[i] = handles.copy(members[i]);
        list.set(JAVA_LONG, (long) Long.BYTES * i, copies[i].address());
      }
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      int result =
          CollCalls.piipp(
              plugin.function(CONNECT),
              list.address(),
              nranks,
              rank,
              listener.address,
              out.address());
      plugin.check(result, CONNECT, where);
      long made = out.bytes().get(JAVA_LONG, 0);
      if (made == 0) {
        throw plugin.defect(CONNECT, where, "gave no comm");
      }
      NativeCollComm comm =
          new NativeCollComm(
              this, made, facts, NativeScratch.of(NativeCollectives.MAX_PIECES), nranks, rank);
      try {
        for (GuardedMemory copy : copies) {
          plugin.requireIntact(copy, CONNECT, where, "a handle");
        }
        plugin.requireIntact(out, CONNECT, where, "the comm");
      } catch (NetException e) {
        try {
          closeColl(comm);
        } catch (NetException also) {
          e.addSuppressed(also);
        }
        throw e;
      }
      return comm;
    } finally {
      for (GuardedMemory copy : copies) {
        if (copy != null) {
          handles.release(copy);
        }
      }
    }
  }

  boolean reduceSupport(DataType dataType, ReductionOp op) {
    if (op == ReductionOp.AVG) {
      return false; // a sum for the network; plugins are not asked for it
    }
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Integer.BYTES);
      String where = " of " + dataType + " " + op;
      plugin.check(
          CollCalls.iip(plugin.function(REDUCE_SUPPORT), dataType.code(), op.code(), out.address()),
          REDUCE_SUPPORT,
          where);
      plugin.requireIntact(out, REDUCE_SUPPORT, where, "the answer");
      return out.bytes().get(JAVA_INT, 0) != 0;
    }
  }

  void closeColl(CollComm comm) {
    NativeCollComm own = own(comm);
    own.close();
    registrations.undoAll(own);
    int result = NativeCalls.p(plugin.function(CLOSE_COLL), own.address);
    own.scratch.release();
    plugin.check(result, CLOSE_COLL, own.device.where());
  }

  void closeListen(ListenComm listenComm) {
    listeners.close(own(listenComm));
  }

  boolean supports(OptionalOperation operation) {
    return switch (operation) {
      case ALL_GATHER -> plugin.has(IALLGATHER);
      case REDUCE_SCATTER -> plugin.has(IREDUCESCATTER);
      case MAKE_VDEVICE -> plugin.has(MAKE_VDEVICE);
      case GET_DEVICE_MR, IRECV_CONSUMED, SET_NET_ATTR -> false;
    };
  }

  NativeCollComm own(@Nullable CollComm comm) {
    if (comm instanceof NativeCollComm own && own.plugin == this && own.isOpen()) {
      return own;
    }
    throw notOwn("comm", comm);
  }

  private NativeListener own(@Nullable ListenComm listener) {
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
