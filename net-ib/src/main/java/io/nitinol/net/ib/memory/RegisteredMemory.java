// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory registered with one comm: a region of the card of each of the comm's ports. Made by {@link
 * IbCommMemory}; reading it costs no more than fields.
 */
public final class RegisteredMemory implements MemoryHandle {
  private final IbCommMemory owner;
  private final long address;
  private final long size;
  private final boolean onHost;

  /** Host memory as the caller has it: an automatic arena lives while it is reachable from here. */
  private final @Nullable MemorySegment segment;

  private final MrCache.Entry[] entries;
  private final int[] lkeys;
  private final int[] rkeys;

  /** Undone on the thread that registers, read on the one that drives the comm (NET-THREAD-04). */
  private volatile boolean live = true;

  RegisteredMemory(IbCommMemory owner, Memory memory, MrCache.Entry[] entries) {
    this.owner = owner;
    this.address = memory.address();
    this.size = memory.size();
    this.onHost = memory.type() == PointerType.HOST;
    this.segment = memory.segment();
    this.entries = entries;
    this.lkeys = new int[entries.length];
    this.rkeys = new int[entries.length];
    for (int port = 0; port < entries.length; port++) {
      lkeys[port] = entries[port].region.lkey();
      rkeys[port] = entries[port].region.rkey();
    }
  }

  /**
   * Returns whether the memory was registered with a comm.
   *
   * @param memory what is registered with that comm
   * @return true where this is one of its handles, dead or alive
   */
  public boolean isOf(IbCommMemory memory) {
    return owner == memory;
  }

  /** {@return the address of the first byte} */
  public long address() {
    return address;
  }

  /** {@return the size in bytes} */
  public long size() {
    return size;
  }

  /** {@return whether messages cannot be received into the memory} */
  public boolean isReadOnly() {
    return segment != null && segment.isReadOnly();
  }

  /** {@return whether the CPU can read the memory} */
  public boolean isOnHost() {
    return onHost;
  }

  /**
   * {@return whether the CPU can read the memory now: it is the host's and not freed while a
   * message waits to be sent from it, which to a card is an error and to the CPU a crash}
   */
  public boolean isReadable() {
    return onHost && live && !isFreed(segment);
  }

  /** {@return whether the registration has not been undone} */
  public boolean isLive() {
    return live;
  }

  /**
   * Checks that bytes of a message lie inside memory that is registered with a comm of the same
   * device and has not been freed.
   *
   * @param memory what is registered with the comm
   * @param offset where the bytes begin
   * @param length how many there are
   * @param label the comm, for messages
   * @throws NetException INVALID_ARGUMENT for a dead or foreign handle and bytes outside of the
   *     memory; INVALID_USAGE where the memory's arena is closed
   */
  public void check(IbCommMemory memory, long offset, long length, String label) {
    boolean shared = memory.shares(owner);
    if (!shared || !live) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "memory handle %s: it cannot be used with the comm to %s",
              shared ? "has been deregistered" : "was registered with another device", label));
    }
    if (offset < 0 || length < 0 || length > size - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "offset %d and length %d are not inside the registered memory of %s bytes",
              offset, length, size));
    }
    if (isFreed(segment)) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: registered memory of %s bytes is not accessible any more: its arena was"
                  + " closed before it was deregistered",
              label, size));
    }
  }

  /** Returns whether memory has been freed; unknown, and false, of memory without a segment. */
  static boolean isFreed(@Nullable MemorySegment segment) {
    return segment != null && !segment.scope().isAlive();
  }

  /**
   * Returns the key for work requests of this side.
   *
   * @param port which of the comm's ports, from 0
   * @return {@code ibv_mr.lkey}
   */
  public int lkey(int port) {
    return lkeys[port];
  }

  /**
   * Returns the key for work requests of the peer.
   *
   * @param port which of the comm's ports, from 0
   * @return {@code ibv_mr.rkey}
   */
  public int rkey(int port) {
    return rkeys[port];
  }

  /** Marks the handle dead and returns what it held. */
  MrCache.Entry[] end() {
    live = false;
    return entries;
  }
}
