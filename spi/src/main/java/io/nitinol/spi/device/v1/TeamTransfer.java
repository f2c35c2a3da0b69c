// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.util.Objects;

/**
 * One send or receive of {@link DeviceTeam#transfer}; mirrors {@code ncclSend} and {@code ncclRecv}
 * in a group.
 *
 * @param direction whether this rank sends or receives
 * @param peer the other rank, which may be this one
 * @param address the first byte
 * @param size the number of bytes, the same on both sides; 0 moves nothing and needs its partner
 *     too
 */
public record TeamTransfer(Direction direction, int peer, long address, long size) {

  /** Which way the bytes go. */
  public enum Direction {
    /** From this rank to the peer. */
    SEND,
    /** From the peer to this rank. */
    RECEIVE
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when one is negative
   */
  public TeamTransfer {
    Objects.requireNonNull(direction, "direction");
    if (peer < 0 || size < 0) {
      throw new IllegalArgumentException("a transfer of " + size + " bytes with rank " + peer);
    }
  }
}
