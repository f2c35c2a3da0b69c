// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory registered with a native plugin, network or collective.
 *
 * @param <F> the functions of its struct
 */
final class Registrations<F extends Enum<F>> {
  /** From this version on, the size of registered memory has 64 bits. */
  private static final int WIDE = 8;

  private final NativePlugin<F> plugin;
  private final F regMr;
  private final F regMrDmaBuf;
  private final F deregMr;
  private final boolean wide;

  Registrations(NativePlugin<F> plugin, F regMr, F regMrDmaBuf, F deregMr) {
    this.plugin = plugin;
    this.regMr = regMr;
    this.regMrDmaBuf = regMrDmaBuf;
    this.deregMr = deregMr;
    this.wide = plugin.table().version() >= WIDE;
  }

  MemoryHandle register(NativeEnd comm, @Nullable Memory memory) {
    Memory known = require(comm, memory);
    long size = known.size();
    if (!wide && size > Integer.MAX_VALUE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "the size of registered memory is an int in %s, asked for were %s bytes",
              plugin.table().symbol(), size));
    }
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      MemorySegment function = plugin.function(regMr);
      long data = known.address();
      int type = known.type().mask();
      int result =
          wide
              ? NativeCalls.pplip(function, comm.address, data, size, type, out.address())
              : NativeCalls.ppiip(function, comm.address, data, (int) size, type, out.address());
      return made(comm, known, result, regMr, out);
    }
  }

  MemoryHandle registerDmaBuf(NativeEnd comm, @Nullable Memory memory, long offset, int fd) {
    comm.requireOpen();
    if (!PointerType.DMABUF.in(comm.device.ptrSupport()) || !plugin.has(regMrDmaBuf)) {
      throw new NetException(
          ResultCode.INVALID_USAGE, plugin + " does not register memory through dma-buf");
    }
    Memory known = require(comm, memory);
    try (Arena arena = Arena.ofConfined()) {
      GuardedMemory out = new GuardedMemory(arena, Long.BYTES);
      int result =
          NativeCalls.pplilip(
              plugin.function(regMrDmaBuf),
              comm.address,
              known.address(),
              known.size(),
              known.type().mask(),
              offset,
              fd,
              out.address());
      return made(comm, known, result, regMrDmaBuf, out);
    }
  }

  void undo(NativeEnd comm, @Nullable MemoryHandle handle) {
    comm.requireOpen();
    if (!(handle instanceof NativeRegistration memory) || memory.comm != comm || !memory.die()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "memory handle: expected a live one of this comm, got " + handle);
    }
    comm.registrations.remove(memory);
    plugin.check(undone(memory), deregMr, comm.device.where());
  }

  /** Undoes what is left when {@code comm} is about to be closed. */
  void undoAll(NativeEnd comm) {
    for (NativeRegistration memory : comm.registrations) {
      if (memory.die()) {
        int result = undone(memory);
        if (result != 0) {
          plugin.warn(plugin.failure(result, deregMr, comm.device.where() + " before its close"));
        }
      }
    }
    comm.registrations.clear();
  }

  /**
   * Returns the memory behind a handle.
   *
   * @throws NetException INVALID_ARGUMENT when it is none of this comm's
   */
  static NativeRegistration of(NativeEnd comm, @Nullable MemoryHandle handle) {
    if (handle instanceof NativeRegistration memory && memory.isGoodFor(comm)) {
      return memory;
    }
    throw new NetException(
        ResultCode.INVALID_ARGUMENT,
        "memory handle: expected a live one that is good for this comm, got " + handle);
  }

  private int undone(NativeRegistration memory) {
    return NativeCalls.pp(plugin.function(deregMr), memory.comm.address, memory.mhandle);
  }

  private NativeRegistration made(
      NativeEnd comm, Memory memory, int result, F function, GuardedMemory out) {
    String where = comm.device.where();
    plugin.check(result, function, where);
    NativeRegistration made = new NativeRegistration(comm, memory, out.bytes().get(JAVA_LONG, 0));
    String damage = out.damage();
    if (damage != null) {
      undone(made);
      throw plugin.defect(function, where, damage + " bytes of the memory handle");
    }
    comm.registrations.add(made);
    return made;
  }

  private static Memory require(NativeEnd comm, @Nullable Memory memory) {
    comm.requireOpen();
    if (memory == null || !memory.type().in(comm.device.ptrSupport())) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "memory to register: expected one of the types in 0x%s, got %s",
              Integer.toHexString(comm.device.ptrSupport()), memory));
    }
    return memory;
  }
}
