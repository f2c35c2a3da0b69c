// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory registered with one comm, on the card of each of its ports; mirrors {@code
 * ncclIbRegMr} and {@code ncclIbDeregMr}. All comms of a device may use it: their queue pairs are
 * in the same protection domains. One thread at a time calls it, any thread (NET-THREAD-04).
 */
public final class IbCommMemory {
  private final Object device;
  private final List<MrCache> caches;
  private final int ptrSupport;
  private final Set<RegisteredMemory> registered = new HashSet<>();
  private boolean closed;

  /**
   * Makes the empty set of a comm.
   *
   * @param device the comm's device: its other comms may use what is registered here
   * @param caches the cache of the card of each port; the same one where ports share a card
   * @param ptrSupport the device's mask of {@link PointerType#mask}
   */
  public IbCommMemory(Object device, List<MrCache> caches, int ptrSupport) {
    this.device = device;
    this.caches = List.copyOf(caches);
    this.ptrSupport = ptrSupport;
  }

  /**
   * Registers memory.
   *
   * @param memory what to register, of a type that the device takes
   * @return the handle
   * @throws NetException INVALID_ARGUMENT for other memory; INVALID_USAGE where its arena is
   *     closed; SYSTEM_ERROR when the system refuses; nothing being registered then
   */
  public RegisteredMemory register(Memory memory) {
    check(memory);
    MemorySegment segment = memory.segment();
    boolean readOnly = segment != null && segment.isReadOnly();
    return register(memory, cache -> cache.take(memory.address(), memory.size(), !readOnly));
  }

  /**
   * Registers device memory through a dma-buf.
   *
   * @param memory the memory as the device sees it, of any size
   * @param offset where it begins in the dma-buf, in bytes
   * @param fd the dma-buf's descriptor, which stays the caller's
   * @return the handle
   * @throws NetException INVALID_USAGE where the device has no dma-buf; otherwise as {@link
   *     #register(Memory)}
   */
  public RegisteredMemory registerDmaBuf(Memory memory, long offset, int fd) {
    if (!PointerType.DMABUF.in(ptrSupport)) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          "the device cannot register memory through dma-buf: its driver, the kernel or libibverbs"
              + " has no ibv_reg_dmabuf_mr");
    }
    check(memory);
    if (offset < 0 || fd < 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "cannot register " + memory + " at offset " + offset + " of the dma-buf " + fd);
    }
    AddressSpace origin = AddressSpace.ofDmaBuf(memory.type(), fd, offset, memory.address());
    return register(
        memory, cache -> cache.takeDmaBuf(offset, memory.address(), memory.size(), fd, origin));
  }

  /** Returns whether memory registered with {@code other} may be used with this comm. */
  @SuppressWarnings("ReferenceEquality") // asked for each message, and a device is made once
  boolean shares(IbCommMemory other) {
    return device == other.device;
  }

  /**
   * Undoes a registration.
   *
   * @param handle what a call of this object returned; dead afterwards
   * @throws NetException INVALID_ARGUMENT for a handle that is dead or not this comm's;
   *     SYSTEM_ERROR when the system refuses, the handle being dead all the same
   */
  public void deregister(@Nullable MemoryHandle handle) {
    if (!(handle instanceof RegisteredMemory memory) || !memory.isOf(this)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "memory handle %s was not made for this comm",
              handle == null ? "null" : "of " + handle.getClass().getName()));
    }
    if (!registered.remove(memory)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "memory handle is dead: it was undone before");
    }
    NetException failure = release(memory.end());
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Deregisters everything; for the close of the comm, when its queue pairs are gone.
   *
   * @throws NetException SYSTEM_ERROR when the system refuses; everything has been tried then
   */
  public void close() {
    closed = true;
    NetException failure = null;
    for (RegisteredMemory memory : registered) {
      failure = first(failure, release(memory.end()));
    }
    registered.clear();
    if (failure != null) {
      throw failure;
    }
  }

  private void check(@Nullable Memory memory) {
    if (memory == null) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "memory to register is null");
    }
    if (closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "cannot register " + memory + ": the comm is closed");
    }
    if (!memory.type().in(ptrSupport)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "cannot register %s: the device's ptrSupport is %d, which lacks %s",
              memory, ptrSupport, memory.type()));
    }
    if (RegisteredMemory.isFreed(memory.segment())) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          "cannot register " + memory + ": it is freed, its arena has been closed");
    }
  }

  private interface Taking {
    MrCache.Entry from(MrCache cache);
  }

  private RegisteredMemory register(Memory memory, Taking taking) {
    List<MrCache.Entry> taken = new ArrayList<>(caches.size());
    try {
      for (MrCache cache : caches) {
        taken.add(taking.from(cache));
      }
    } catch (NetException e) {
      NetException second = release(taken.toArray(MrCache.Entry[]::new));
      if (second != null) {
        e.addSuppressed(second);
      }
      throw e;
    }
    RegisteredMemory handle =
        new RegisteredMemory(this, memory, taken.toArray(MrCache.Entry[]::new));
    registered.add(handle);
    return handle;
  }

  /** Gives back the entries of the first caches; returns the first failure. */
  private @Nullable NetException release(MrCache.Entry[] entries) {
    NetException failure = null;
    for (int i = 0; i < entries.length; i++) {
      try {
        caches.get(i).release(entries[i]);
      } catch (NetException e) {
        failure = first(failure, e);
      }
    }
    return failure;
  }

  private static @Nullable NetException first(
      @Nullable NetException known, @Nullable NetException next) {
    if (known != null && next != null) {
      known.addSuppressed(next);
    }
    return known == null ? next : known;
  }
}
