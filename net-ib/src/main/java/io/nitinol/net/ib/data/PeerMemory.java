// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import java.util.List;

/** Memory of the peer that this side writes to, beside that of messages. Immutable. */
public final class PeerMemory {
  private final long address;
  private final int[] keys;

  /**
   * Describes it.
   *
   * @param address where it begins
   * @param keys its key for each of the peer's ports
   */
  public PeerMemory(long address, List<Integer> keys) {
    this.address = address;
    this.keys = keys.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns how many ports the peer has. */
  int ports() {
    return keys.length;
  }

  long address() {
    return address;
  }

  /** Returns the key for what comes in through one of the peer's ports. */
  int key(int port) {
    return keys[port];
  }
}
