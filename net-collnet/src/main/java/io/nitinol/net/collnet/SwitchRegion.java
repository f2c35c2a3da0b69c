// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory registered with a member's two comms: with the one that sends, and, unless it is
 * read-only, with the one that receives.
 */
final class SwitchRegion implements MemoryHandle {
  private final CollComm owner;
  private final CommPair pair;
  private final MemorySegment segment;
  private final MemoryHandle up;
  private final @Nullable MemoryHandle down;
  private volatile boolean dead; // set by the thread that registers, see NET-THREAD-04

  SwitchRegion(CollComm owner, CommPair pair, @Nullable Memory memory) {
    MemorySegment host = memory == null ? null : memory.segment();
    if (host == null || memory == null || memory.type() != PointerType.HOST) {
      throw SwitchFailures.argument(memory + " to register, expected host memory"); // NET-REG-02
    }
    this.owner = owner;
    this.pair = pair;
    this.segment = host;
    Net net = pair.net();
    up = net.regMr(pair.send(), memory);
    try {
      down = host.isReadOnly() ? null : net.regMr(pair.recv(), memory);
    } catch (RuntimeException | Error e) {
      net.deregMr(pair.send(), up);
      throw e;
    }
  }

  /** Returns whether a member may use it (NET-REG-06, NET-REG-07). */
  boolean isOf(CollComm member) {
    return owner.equals(member) && !dead;
  }

  void deregister() {
    dead = true;
    Net net = pair.net();
    MemoryHandle receiving = down;
    try {
      if (receiving != null) {
        net.deregMr(pair.recv(), receiving);
      }
    } finally {
      net.deregMr(pair.send(), up);
    }
  }

  MemorySegment segment() {
    return segment;
  }

  /** Returns the registration to send from. */
  MemoryHandle up() {
    return up;
  }

  /** Returns the registration to receive into, of memory that {@link #checkWritable} let pass. */
  MemoryHandle down() {
    return Objects.requireNonNull(down, "registration of memory that cannot be written");
  }

  /** Checks that a piece lies inside, without overflow (NET-SEND-05). */
  void check(long offset, long length) {
    long size = segment.byteSize();
    if (offset < 0 || length < 0 || offset > size || length > size - offset) {
      throw SwitchFailures.argument(
          length + " bytes at " + offset + " of " + size + " registered ones");
    }
  }

  /** Checks that bytes may be written there (NET-REG-13). */
  void checkWritable() {
    if (down == null) {
      throw SwitchFailures.argument("read-only memory to receive into");
    }
  }
}
