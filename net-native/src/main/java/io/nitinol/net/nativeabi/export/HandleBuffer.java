// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a connection handle as a plugin wants them, 128 and aligned to 8, whatever the host
 * has: NCCL up to version 4 has 64, and later ones keep theirs in structs that need no alignment.
 * Copies are pooled and never freed; the code that makes a buffer {@link #release releases} it or
 * {@link #keep keeps} it.
 */
final class HandleBuffer {
  private static final int ALIGNMENT = Long.BYTES;

  /** How many attempts to connect keep their copies; the oldest of more may be abandoned ones. */
  private static final int MOST_ATTEMPTS = 1024;

  private static final ConcurrentLinkedDeque<MemorySegment> IDLE = new ConcurrentLinkedDeque<>();

  /** The copies of attempts, by the host's address; guarded by itself. */
  private static final LinkedHashMap<Long, MemorySegment> UNDER_WAY = new LinkedHashMap<>();

  private final MemorySegment host;
  private final MemorySegment bytes;

  /** Whether {@link #bytes} are a copy, the host's being too few or not aligned. */
  private final boolean copied;

  private HandleBuffer(long address, int size) {
    this.host = NcclMemory.bytes(address, size);
    this.copied = size < Net.HANDLE_MAXSIZE || address % ALIGNMENT != 0;
    this.bytes = copied ? copyFor(address) : host;
  }

  private static MemorySegment copyFor(long address) {
    @Nullable MemorySegment kept;
    synchronized (UNDER_WAY) {
      kept = UNDER_WAY.remove(address);
    }
    MemorySegment copy = kept != null ? kept : IDLE.poll();
    return copy != null ? copy : Arena.global().allocate(Net.HANDLE_MAXSIZE, ALIGNMENT);
  }

  /** Returns zeroed bytes for {@code listen}; the host has {@code size} for them. */
  static HandleBuffer forListen(long address, int size) {
    HandleBuffer buffer = new HandleBuffer(address, size);
    buffer.host.fill((byte) 0);
    buffer.bytes.fill((byte) 0);
    return buffer;
  }

  /** Returns the bytes that {@code connect} reads and keeps its state in. */
  static HandleBuffer forConnect(long address, int size) {
    HandleBuffer buffer = new HandleBuffer(address, size);
    if (buffer.copied) {
      buffer.bytes.fill((byte) 0).copyFrom(buffer.host);
    }
    return buffer;
  }

  MemorySegment bytes() {
    return bytes;
  }

  /**
   * Lets the host have what the plugin has written.
   *
   * @throws NetException with INVALID_USAGE when that is more than the host has room for
   */
  void giveBack() {
    if (!copied) {
      return;
    }
    for (long i = host.byteSize(); i < bytes.byteSize(); i++) {
      if (bytes.get(ValueLayout.JAVA_BYTE, i) != 0) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "%s has handles of more than %s bytes, which is all that this version of NCCL "
                    + "passes on: it needs NCCL 2.12 or newer",
                Exported.net().name(), host.byteSize()));
      }
    }
    host.copyFrom(bytes.asSlice(0, host.byteSize()));
  }

  /**
   * Keeps the copy for the next call about the host's bytes: each call of an attempt to connect
   * passes the plugin the same memory (NET-CONN-05).
   */
  void keep() {
    if (!copied) {
      return;
    }
    @Nullable MemorySegment other;
    @Nullable MemorySegment oldest = null;
    synchronized (UNDER_WAY) {
      other = UNDER_WAY.put(host.address(), bytes);
      if (UNDER_WAY.size() > MOST_ATTEMPTS) {
        oldest = UNDER_WAY.pollFirstEntry().getValue();
      }
    }
    idle(other);
    idle(oldest);
  }

  /** Ends the use of the bytes. */
  void release() {
    if (copied) {
      idle(bytes);
    }
  }

  private static void idle(@Nullable MemorySegment copy) {
    if (copy != null) {
      IDLE.push(copy);
    }
  }
}
