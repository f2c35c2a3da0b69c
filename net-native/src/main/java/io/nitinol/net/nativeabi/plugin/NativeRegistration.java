// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;

/**
 * Memory that the plugin registered. Holds the caller's description, and by it the memory's
 * segment, until the registration is undone.
 */
final class NativeRegistration implements MemoryHandle {
  final NativeEnd comm;
  final Memory memory;
  final long mhandle;
  private volatile boolean dead;

  NativeRegistration(NativeEnd comm, Memory memory, long mhandle) {
    this.comm = comm;
    this.memory = memory;
    this.mhandle = mhandle;
  }

  /** Makes the handle dead; returns whether it was alive. */
  synchronized boolean die() {
    boolean was = !dead;
    dead = true;
    return was;
  }

  /** Returns whether it may be used with {@code other}. */
  boolean isGoodFor(NativeEnd other) {
    return !dead
        && (comm == other
            || (comm.device.regIsGlobal()
                && comm.plugin.equals(other.plugin)
                && comm.device.device() == other.device.device()));
  }

  /** Returns the address of a piece of the memory; refuses one that is not inside it. */
  long at(long offset, long length) {
    if (offset < 0 || length < 0 || offset > memory.size() - length) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "piece " + offset + "+" + length + " is not inside " + memory);
    }
    MemorySegment segment = memory.segment();
    if (segment != null && !segment.scope().isAlive()) {
      throw new NetException(ResultCode.INVALID_USAGE, memory + " has been freed");
    }
    return memory.address() + offset;
  }

  /** Refuses memory that must not be written to. */
  void requireWritable() {
    MemorySegment segment = memory.segment();
    if (segment != null && segment.isReadOnly()) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, memory + " is read-only");
    }
  }
}
