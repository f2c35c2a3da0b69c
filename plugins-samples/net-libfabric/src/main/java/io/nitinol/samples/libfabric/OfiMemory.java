// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.RegionCache;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Host memory registered with one comm. Made by {@link OfiCommMemory}. */
final class OfiMemory implements MemoryHandle {
  private final OfiCommMemory owner;
  private final long address;
  private final long size;

  /** As the caller has it: an automatic arena lives while it is reachable from here. */
  private final @Nullable MemorySegment segment;

  private final RegionCache.@Nullable User region;

  /** Undone on the thread that registers, read on the one that drives the comm (NET-THREAD-04). */
  private volatile boolean live = true;

  OfiMemory(OfiCommMemory owner, Memory memory, RegionCache.@Nullable User region) {
    this.owner = owner;
    this.address = memory.address();
    this.size = memory.size();
    this.segment = memory.segment();
    this.region = region;
  }

  /**
   * How many operations use it that the provider has not ended. The thread that drives the comm
   * writes it, and the one that undoes the registration reads it.
   */
  private volatile int posted;

  /**
   * Returns a handle as what it is.
   *
   * @throws NetException INVALID_ARGUMENT for a handle of another plugin
   */
  static OfiMemory of(@Nullable MemoryHandle handle) {
    if (handle instanceof OfiMemory own) {
      return own;
    }
    throw new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "memory handle %s does not come from the libfabric plugin",
            handle == null ? "null" : "of " + handle.getClass().getName()));
  }

  /** Returns the address of the first byte. */
  long address() {
    return address;
  }

  /** Returns what operations pass for the memory; 0 where the provider asks for nothing. */
  long descriptor() {
    return region == null ? 0 : region.descriptor();
  }

  /** Returns whether messages cannot be received into it. */
  boolean isReadOnly() {
    return segment != null && segment.isReadOnly();
  }

  /** Returns whether the memory's arena is closed, which its user must not do. */
  boolean isFreed() {
    return segment != null && !segment.scope().isAlive();
  }

  @SuppressWarnings("ReferenceEquality") // asked for each call, and each is made once
  boolean isOf(OfiCommMemory memory) {
    return owner == memory;
  }

  /** Counts an operation that the provider has, or is to get. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  void begin() {
    posted++;
  }

  /** Counts an operation that the provider has ended. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  void complete() {
    posted--;
  }

  /** Returns whether the provider may still read or write it. */
  boolean isInUse() {
    return posted != 0;
  }

  /** Marks the handle dead and returns what it held. */
  RegionCache.@Nullable User end() {
    live = false;
    return region;
  }

  /**
   * Checks that bytes of a message lie in memory of this comm that has not been freed.
   *
   * @throws NetException INVALID_ARGUMENT for a dead or foreign handle and bytes outside of the
   *     memory; INVALID_USAGE where the memory's arena is closed
   */
  void check(OfiCommMemory memory, long offset, long length, String label) {
    if (!isOf(memory) || !live) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: memory handle %s",
              label, live ? "was registered with another comm" : "has been deregistered"));
    }
    if (offset < 0 || length < 0 || length > size - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: offset %d and length %d are not inside the registered memory of %d bytes",
              label, offset, length, size));
    }
    if (isFreed()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: registered memory of %d bytes was freed before it was deregistered",
              label, size));
    }
  }
}
