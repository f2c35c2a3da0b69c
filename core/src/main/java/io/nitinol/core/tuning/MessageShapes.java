// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.transport.Slots;
import io.nitinol.spi.config.Settings;

/**
 * The sizes that schedules are made for, from the variables and the layout alone: a communicator
 * and its simulation take them from here, so that they cut messages alike.
 */
public final class MessageShapes {
  /** Slices of a chunk: half of the slots, so that a rank's own messages never fill a connector. */
  private static final int SLICES = Slots.COUNT / 2;

  /** Two, for the two trees of the double binary tree and to overlap. */
  private static final int CHANNELS = 2;

  private static final int MIN_SLICE_BYTES = 32 << 10;
  private static final int MIN_CHUNK_BYTES = 4 << 10;
  private static final long MIN_CHANNEL_BYTES = 64 << 10;

  /**
   * What a slot for small messages holds: beyond, doing everything twice costs more than signals.
   */
  private static final int LINE_BYTES = 32 << 10;

  /** How many rounds of small messages can be under way at once. */
  public static final int LINE_DEPTH = 4;

  /** Enough to hide the signals, little enough that all slots of a host stay in its cache. */
  private static final int SLOT_BYTES = 256 << 10;

  /** How many rounds of large messages can be under way at once. */
  public static final int SLOT_DEPTH = 4;

  /** Where buffers are shared the slots carry little. */
  private static final int DIRECT_SLOT_BYTES = 64 << 10;

  /**
   * With more ranks on a host the slots shrink, so that the memory stays what it is: about 10 MB
   * for a channel. Containers often have no more than 64 MB for all.
   */
  private static final int MOST_FULL = 8;

  private MessageShapes() {}

  /**
   * Returns how many channels a communicator has.
   *
   * @param least the fewest, 0 for any
   * @param most the most, 0 for any
   */
  public static int channels(int least, int most) {
    int channels = Math.max(CHANNELS, least);
    return most > 0 ? Math.min(channels, most) : channels;
  }

  /** Returns the most data bytes of a message, as {@code NCCL_BUFFSIZE} says. */
  public static int slotBytes(Settings settings) {
    long slot = settings.get(CoreVariables.BUFFSIZE) / Slots.COUNT;
    return (int) (slot / ChunkShape.ALIGNMENT * ChunkShape.ALIGNMENT);
  }

  /**
   * Returns how collectives are cut into messages.
   *
   * @param slotBytes the most data bytes of one
   */
  public static ChunkShape chunks(int slotBytes) {
    return new ChunkShape(
        slotBytes,
        SLICES,
        Math.min(slotBytes, MIN_SLICE_BYTES),
        Math.min(slotBytes, MIN_CHUNK_BYTES),
        MIN_CHANNEL_BYTES);
  }

  /** Returns the slots of a team for small messages. */
  public static SlotShape lines(HostLayout layout) {
    return new SlotShape(lineBytes(layout), LINE_DEPTH);
  }

  /** Returns what a slot for small messages holds. */
  public static int lineBytes(HostLayout layout) {
    return share(LINE_BYTES, layout.largestHost());
  }

  /**
   * Returns the slots of a team for large messages. With several hosts all use slots of one size,
   * since they cut messages alike.
   *
   * @param direct whether the members of a team show their buffers to each other
   */
  public static SlotShape slots(HostLayout layout, boolean direct) {
    int bytes = direct && layout.hosts() == 1 ? DIRECT_SLOT_BYTES : SLOT_BYTES;
    return new SlotShape(share(bytes, layout.largestHost()), SLOT_DEPTH);
  }

  /**
   * Returns {@code bytes}, or less where that many ranks would take too much with it, but a cache
   * line for each of them. From 65 ranks on that line decides, and the memory grows again.
   */
  private static int share(int bytes, int ranks) {
    int least = Integer.highestOneBit(2 * ranks * ChunkShape.ALIGNMENT - 1);
    int part = Integer.highestOneBit(bytes * MOST_FULL / ranks);
    return ranks <= MOST_FULL ? bytes : Math.max(least, part);
  }
}
