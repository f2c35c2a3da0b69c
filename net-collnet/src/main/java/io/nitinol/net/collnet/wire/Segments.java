// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Which bytes of an operation travel between a switch and one child, that brings one rank or many:
 * the window is cut into segments, all of one size but the last.
 *
 * <ul>
 *   <li>Up, a segment carries the child's contribution to it: all its bytes where they are reduced;
 *       of a gather those that belong to the child's ranks, one rank after the other.
 *   <li>Down, it carries the result: all its bytes; of a scatter those that are for the child's
 *       ranks, one rank after the other.
 * </ul>
 *
 * A segment that has no bytes for a child is not sent, with one exception: the last one goes down
 * always, so that every operation ends with a word of the switch.
 *
 * <p>Pure arithmetic, immutable, safe for any thread; nothing is allocated.
 */
public final class Segments {
  /** The smallest size of segments: one holds what a descriptor carries with it. */
  public static final int LEAST_BYTES = Descriptor.INLINE_BYTES;

  /** The largest size of segments. */
  public static final int MOST_BYTES = 1 << 24;

  private final int[] ranks;
  private final int segmentBytes;
  private final boolean run;

  /**
   * Describes one child.
   *
   * @param ranks the ranks that it brings, ascending
   * @param segmentBytes the size of the group's segments, a power of two from {@link #LEAST_BYTES}
   *     to {@link #MOST_BYTES}
   * @throws IllegalArgumentException for anything else
   */
  public Segments(int[] ranks, int segmentBytes) {
    if (segmentBytes < LEAST_BYTES
        || segmentBytes > MOST_BYTES
        || Integer.bitCount(segmentBytes) != 1) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "segments of %d bytes: expected a power of two from %s to %s",
              segmentBytes, LEAST_BYTES, MOST_BYTES));
    }
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] <= (i == 0 ? -1 : ranks[i - 1])) {
        throw new IllegalArgumentException("ranks are not ascending: " + Arrays.toString(ranks));
      }
    }
    if (ranks.length == 0) {
      throw new IllegalArgumentException("a child without ranks");
    }
    this.ranks = ranks.clone();
    this.segmentBytes = segmentBytes;
    this.run = ranks[ranks.length - 1] - ranks[0] == ranks.length - 1;
  }

  /**
   * Returns how many segments an operation has, those without bytes for this child included.
   *
   * @param of the operation
   * @return at least 1
   */
  public long count(Descriptor of) {
    return Math.max(1, (of.windowBytes() + segmentBytes - 1) / segmentBytes);
  }

  /**
   * Returns where a segment begins.
   *
   * @param segment its number
   * @return the first byte, counted from the start of the window
   */
  public long start(long segment) {
    return segment * segmentBytes;
  }

  /**
   * Returns the length of a segment of the window.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return bytes
   */
  public int length(Descriptor of, long segment) {
    return (int) Math.min(segmentBytes, of.windowBytes() - start(segment));
  }

  /**
   * Returns how many bytes of a segment the child sends.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return bytes; 0: no message
   */
  public int upBytes(Descriptor of, long segment) {
    return of.kind() == Collective.ALL_GATHER ? own(of, segment) : length(of, segment);
  }

  /**
   * Returns how many bytes of a segment the child receives.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return bytes; 0: no message, unless {@link #isLast}
   */
  public int downBytes(Descriptor of, long segment) {
    return of.kind() == Collective.REDUCE_SCATTER ? own(of, segment) : length(of, segment);
  }

  /**
   * Returns whether a segment is an operation's last.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return whether it is
   */
  public boolean isLast(Descriptor of, long segment) {
    return segment + 1 == count(of);
  }

  /**
   * Returns whether a segment goes down to the child as a message.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return whether it does
   */
  public boolean isAnswered(Descriptor of, long segment) {
    return downBytes(of, segment) > 0 || isLast(of, segment);
  }

  /**
   * Returns whether the child's parts of a segment lie side by side, whatever the operation: its
   * ranks have no gaps.
   *
   * @return whether {@link #ownStart} and {@link #own} describe all of them
   */
  public boolean isRun() {
    return run;
  }

  /**
   * Returns where the first byte for the child's ranks lies in a segment of a gather or scatter.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return the byte, counted from the start of the segment; 0 where there is none
   */
  public int ownStart(Descriptor of, long segment) {
    int first = firstIndex(of, segment);
    return first < ranks.length && overlap(of, segment, ranks[first]) > 0
        ? from(of, segment, ranks[first])
        : 0;
  }

  /**
   * Returns how many bytes of a segment of a gather or scatter belong to the child's ranks.
   *
   * @param of the operation
   * @param segment its number, from 0
   * @return bytes
   */
  public int own(Descriptor of, long segment) {
    int sum = 0;
    for (int i = firstIndex(of, segment); i < ranks.length; i++) {
      int part = overlap(of, segment, ranks[i]);
      if (part == 0) {
        break;
      }
      sum += part;
    }
    return sum;
  }

  /**
   * Copies the parts of the child's ranks from their places in a segment to one after the other.
   *
   * @param of the operation, a gather or scatter
   * @param segment the segment's number, from 0
   * @param in what holds the segment
   * @param inAt its first byte
   * @param out where the parts go
   * @param outAt the first byte there
   * @return how many bytes
   */
  public int pack(
      Descriptor of, long segment, MemorySegment in, long inAt, MemorySegment out, long outAt) {
    return copy(of, segment, in, inAt, out, outAt, true);
  }

  /**
   * Copies the parts of the child's ranks from one after the other to their places in a segment.
   *
   * @param of the operation, a gather or scatter
   * @param segment the segment's number, from 0
   * @param in what holds the parts
   * @param inAt their first byte
   * @param out what holds the segment
   * @param outAt its first byte
   * @return how many bytes
   */
  public int unpack(
      Descriptor of, long segment, MemorySegment in, long inAt, MemorySegment out, long outAt) {
    return copy(of, segment, in, inAt, out, outAt, false);
  }

  /**
   * Copies parts, between their places in a segment and one after the other.
   *
   * @param packs whether the places are in what is read; otherwise in what is written
   */
  private int copy(
      Descriptor of,
      long segment,
      MemorySegment in,
      long inAt,
      MemorySegment out,
      long outAt,
      boolean packs) {
    int done = 0;
    for (int i = firstIndex(of, segment); i < ranks.length; i++) {
      int part = overlap(of, segment, ranks[i]);
      if (part == 0) {
        break;
      }
      int place = from(of, segment, ranks[i]);
      MemorySegment.copy(
          in, inAt + (packs ? place : done), out, outAt + (packs ? done : place), part);
      done += part;
    }
    return done;
  }

  /** Returns the index of the child's first rank whose part may reach into a segment. */
  private int firstIndex(Descriptor of, long segment) {
    if (of.bytesPerRank() == 0) {
      return ranks.length;
    }
    long rank = (of.windowOffset() + start(segment)) / of.bytesPerRank();
    if (rank > ranks[ranks.length - 1]) {
      return ranks.length;
    }
    int found = Arrays.binarySearch(ranks, (int) rank);
    return found >= 0 ? found : -found - 1;
  }

  /** Returns how many bytes of a segment belong to a rank. */
  private int overlap(Descriptor of, long segment, int rank) {
    long begin = of.windowOffset() + start(segment);
    long end = begin + length(of, segment);
    long part = rank * of.bytesPerRank();
    return (int) Math.max(0, Math.min(end, part + of.bytesPerRank()) - Math.max(begin, part));
  }

  /** Returns where a rank's bytes begin in a segment that has some. */
  private int from(Descriptor of, long segment, int rank) {
    long begin = of.windowOffset() + start(segment);
    return (int) Math.max(0, rank * of.bytesPerRank() - begin);
  }
}
