// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * How a collective is cut into messages. All ranks must use the same shape, since sender and
 * receiver compute the size of each message on their own.
 *
 * @param slotBytes the most bytes one message may carry
 * @param slices into how many messages a chunk is cut at most, so that the next rank can start on
 *     the first while this one works on the second; no more than half of the slots of a connector,
 *     or a ring may come to a standstill
 * @param minSliceBytes the size below which a chunk is not cut further
 * @param minChunkBytes the size below which a loop uses fewer chunks than there are ranks: a
 *     message costs microseconds however small it is, so few larger ones are faster than many small
 *     ones
 * @param minChannelBytes the size of a channel's share below which fewer channels are used
 */
public record ChunkShape(
    int slotBytes, int slices, int minSliceBytes, int minChunkBytes, long minChannelBytes) {
  /** What borders are aligned to where the element count allows it: a cache line. */
  public static final int ALIGNMENT = 64;

  /** Checks the shape. */
  public ChunkShape {
    if (slotBytes < ALIGNMENT || slotBytes % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "slot size " + slotBytes + ": expected a positive multiple of " + ALIGNMENT);
    }
    if (slices < 1 || minSliceBytes < 1 || minChunkBytes < 1 || minChannelBytes < 1) {
      throw new IllegalArgumentException("sizes must be positive");
    }
    if (minSliceBytes > slotBytes || minChunkBytes > slotBytes) {
      throw new IllegalArgumentException(
          "a slot of " + slotBytes + " bytes is less than a minimum");
    }
  }
}
