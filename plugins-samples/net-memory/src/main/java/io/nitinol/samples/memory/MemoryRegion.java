// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;

/**
 * Host memory registered with one comm. There is nothing to prepare, only something to remember.
 */
final class MemoryRegion implements MemoryHandle {
  final MemorySegment segment;
  private final MemoryConnection owner;
  private volatile boolean dead; // set by the thread that registers, see NET-THREAD-04

  MemoryRegion(MemoryConnection owner, Memory memory) {
    MemorySegment host = memory == null ? null : memory.segment();
    if (host == null || memory.type() != PointerType.HOST) {
      throw MemoryFailures.argument(memory + " to register, expected host memory"); // NET-REG-02
    }
    this.owner = owner;
    this.segment = host;
  }

  /** As the constructor, for versions up to 7 (NET-REG-03). */
  static MemoryRegion ofIntSize(MemoryConnection owner, Memory memory) {
    if (memory != null && memory.size() > Integer.MAX_VALUE) {
      throw MemoryFailures.argument(memory + " to register, expected at most 2^31-1 bytes");
    }
    return new MemoryRegion(owner, memory);
  }

  /** Returns whether it may be used with {@code connection} (NET-REG-06, NET-REG-07). */
  boolean isOf(MemoryConnection connection) {
    return owner.equals(connection) && !dead;
  }

  void deregister() {
    dead = true;
  }

  /** Checks that a piece lies inside, without overflow (NET-SEND-05). */
  void check(long offset, long length) {
    long size = segment.byteSize();
    if (offset < 0 || length < 0 || offset > size || length > size - offset) {
      throw MemoryFailures.argument(
          length + " bytes at " + offset + " of " + size + " registered ones");
    }
  }

  /** Checks that bytes may be written there (NET-REG-13). */
  void checkWritable() {
    if (segment.isReadOnly()) {
      throw MemoryFailures.argument("read-only memory to receive into");
    }
  }
}
