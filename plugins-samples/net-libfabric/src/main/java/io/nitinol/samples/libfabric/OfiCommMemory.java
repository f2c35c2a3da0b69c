// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.RegionCache;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory registered with one comm. A provider that asks for no registration gets none, unless
 * {@code NITINOL_OFI_REGISTER} is set. One thread at a time calls it, any thread (NET-THREAD-04).
 */
final class OfiCommMemory {
  private final @Nullable RegionCache cache;
  private final Set<OfiMemory> registered = new HashSet<>();

  /** Undone while the provider used them, which it may do until the endpoint is closed. */
  private final Set<OfiMemory> lingering = new HashSet<>();

  private boolean closed;

  /**
   * Makes the empty set of a comm.
   *
   * @param cache the domain's registrations; null where there are to be none
   */
  OfiCommMemory(@Nullable RegionCache cache) {
    this.cache = cache;
  }

  /**
   * Registers host memory.
   *
   * @throws NetException INVALID_ARGUMENT for other memory; INVALID_USAGE for freed memory;
   *     SYSTEM_ERROR when the provider refuses
   */
  OfiMemory register(@Nullable Memory memory) {
    if (memory == null || closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          memory == null ? "memory to register is null" : "cannot register: the comm is closed");
    }
    if (memory.type() != PointerType.HOST) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "cannot register " + memory + ": the libfabric plugin takes host memory only");
    }
    MemorySegment segment = memory.segment();
    if (segment != null && !segment.scope().isAlive()) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "cannot register " + memory + ": its arena has been closed");
    }
    OfiMemory handle =
        new OfiMemory(
            this, memory, cache == null ? null : cache.take(memory.address(), memory.size()));
    registered.add(handle);
    return handle;
  }

  /**
   * Undoes a registration. Where operations use the memory, also such that have failed, the handle
   * is dead and the provider keeps the registration until the comm is closed.
   *
   * @throws NetException INVALID_ARGUMENT for a handle that is dead or not this comm's;
   *     SYSTEM_ERROR when the provider refuses, the handle being dead all the same
   */
  void deregister(@Nullable MemoryHandle handle) {
    if (!(handle instanceof OfiMemory memory) || !memory.isOf(this)) {
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
    if (memory.isInUse()) {
      memory.end();
      lingering.add(memory);
    } else {
      end(memory);
    }
  }

  private void end(OfiMemory memory) {
    RegionCache.User region = memory.end();
    if (region != null && cache != null) {
      cache.release(region);
    }
  }

  /** Deregisters everything, once the endpoint is closed; returns the first failure or null. */
  @Nullable NetException close() {
    closed = true;
    NetException failure = null;
    registered.addAll(lingering);
    lingering.clear();
    for (OfiMemory memory : registered) {
      try {
        end(memory);
      } catch (NetException e) {
        failure = failure == null ? e : failure;
      }
    }
    registered.clear();
    return failure;
  }
}
