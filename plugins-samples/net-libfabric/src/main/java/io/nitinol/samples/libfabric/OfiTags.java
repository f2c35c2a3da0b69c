// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

/**
 * The tags of one comm's messages, in the 48 bits that every provider compares: 32 that follow from
 * the proofs of the two sides, 2 for the kind of message, and 14 of its number.
 *
 * @param nonce the bits that only the two sides know
 * @param mask the bits that the provider compares
 */
record OfiTags(int nonce, long mask) {
  private static final int NUMBER_BITS = 14;
  private static final int KIND_BITS = 2;

  /** Returns the tag of the message for a piece of a receive. */
  long data(long receive, int piece) {
    return tag(0, receive * OfiCommEnd.PIECES + piece);
  }

  /** Returns the tag of announcement {@code number}. */
  long announcement(long number) {
    return tag(1, number);
  }

  /** Returns the tag of the first message of a side: 0 of the receiving one, 1 of the sending. */
  long hello(int side) {
    return tag(2, side);
  }

  /** Returns the tag of all short messages. */
  long shorts() {
    return tag(3, 0);
  }

  private long tag(long kind, long number) {
    long known = Integer.toUnsignedLong(nonce) << (KIND_BITS + NUMBER_BITS);
    long low = number & ((1 << NUMBER_BITS) - 1);
    return (known | (kind << NUMBER_BITS) | low) & mask;
  }
}
