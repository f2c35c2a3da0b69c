// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.net.MemoryHandle;

/**
 * Memory registered with one comm: a region of the card of each of the comm's ports. Made by {@link
 * CommMemory}; reading it costs no more than fields.
 */
public final class RegisteredMemory implements MemoryHandle {
  private final CommMemory owner;
  private final long address;
  private final long size;
  private final boolean readOnly;
  private final boolean onHost;
  private final MrCache.Entry[] entries;
  private final int[] lkeys;
  private final int[] rkeys;

  /** Undone on the thread that registers, read on the one that drives the comm (NET-THREAD-04). */
  private volatile boolean live = true;

  RegisteredMemory(
      CommMemory owner,
      long address,
      long size,
      boolean readOnly,
      boolean onHost,
      MrCache.Entry[] entries) {
    this.owner = owner;
    this.address = address;
    this.size = size;
    this.readOnly = readOnly;
    this.onHost = onHost;
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
  public boolean isOf(CommMemory memory) {
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
    return readOnly;
  }

  /** {@return whether the CPU can read the memory} */
  public boolean isOnHost() {
    return onHost;
  }

  /** {@return whether the registration has not been undone} */
  public boolean isLive() {
    return live;
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
