// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Handles as a native plugin sees them: copies of the caller's, between guards, in memory that is
 * never freed, should the plugin write there unexpectedly. How long a handle is depends on the
 * version.
 */
final class HandleCopies {
  /** How many attempts to connect keep their copies; the oldest of more may be abandoned ones. */
  private static final int MOST_ATTEMPTS = 1024;

  private final int size;
  private final LinkedHashMap<Long, GuardedMemory> underWay =
      new LinkedHashMap<>(); // guarded by itself
  private final ConcurrentLinkedDeque<GuardedMemory> idle = new ConcurrentLinkedDeque<>();

  HandleCopies(int version) {
    this.size = NcclLimits.handleSize(version);
  }

  /** Refuses memory that is no handle buffer. */
  void require(MemorySegment handle) {
    if (!handle.isNative() || handle.byteSize() < size || handle.address() % Long.BYTES != 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "handle: expected native memory of " + size + " bytes, aligned to 8, got " + handle);
    }
  }

  /** Returns a copy of {@code handle} for the plugin: the one that it was {@link #keep kept} in. */
  GuardedMemory copy(MemorySegment handle) {
    GuardedMemory kept;
    synchronized (underWay) {
      kept = underWay.remove(handle.address());
    }
    GuardedMemory pooled = kept != null ? kept : idle.poll();
    GuardedMemory copy = pooled != null ? pooled : new GuardedMemory(Arena.global(), size);
    copy.bytes().copyFrom(handle.asSlice(0, size));
    return copy;
  }

  /** Writes what the plugin left in the copy back to the caller's. */
  void copyBack(GuardedMemory copy, MemorySegment handle) {
    handle.asSlice(0, size).copyFrom(copy.bytes());
  }

  /**
   * Keeps a copy for the next call about {@code handle}, until which no other call gets it: NCCL
   * passes the same memory in each call of an attempt, so a plugin may have a pointer into it.
   */
  void keep(GuardedMemory copy, MemorySegment handle) {
    List<GuardedMemory> idleNow = new ArrayList<>();
    synchronized (underWay) {
      GuardedMemory other = underWay.put(handle.address(), copy);
      if (other != null) {
        idleNow.add(other);
      }
      if (underWay.size() > MOST_ATTEMPTS) {
        idleNow.add(underWay.pollFirstEntry().getValue());
      }
    }
    idleNow.forEach(this::release);
  }

  /** Takes a copy back that is no longer needed. */
  void release(GuardedMemory copy) {
    idle.push(copy);
  }
}
