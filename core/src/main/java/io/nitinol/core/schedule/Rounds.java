// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

import io.nitinol.toolkit.thread.OneThread;

/**
 * One channel's share of an operation's elements, cut into rounds of equal size: equal rather than
 * full ones and a rest, so that no round is too small to overlap with its neighbours. Planned anew
 * for each operation, without allocation.
 */
@OneThread
public final class Rounds {
  private long begin;
  private long end;
  private long size;
  private long rounds;

  /** Creates a share without elements. */
  public Rounds() {}

  /**
   * Takes the share of one channel, in a single round; borders are multiples of {@code align}.
   *
   * @param count elements of the operation
   * @param align elements of a cache line
   * @param least the share below which fewer channels are used, in elements
   * @param channel which channel, from 0
   * @param channels how many channels share the operation
   */
  public void share(long count, long align, long least, int channel, int channels) {
    long used = Math.clamp(Math.ceilDiv(count, least), 1, channels);
    long perChannel = alignUp(Math.ceilDiv(count, used), align);
    long from = channel < used ? Math.min(count, channel * perChannel) : count;
    range(from, Math.min(count, from + perChannel));
  }

  /** Takes the elements from {@code from} to {@code to}, exclusive, in a single round. */
  public void range(long from, long to) {
    begin = from;
    end = to;
    size = end - begin;
    rounds = size == 0 ? 0 : 1;
  }

  /**
   * Cuts the share into as few rounds as possible.
   *
   * @param most the most elements of a round, a multiple of {@code unit}
   * @param unit what the size of all rounds but the last is a multiple of
   */
  public void cut(long most, long unit) {
    cut(most, unit, 1);
  }

  /** As {@link #cut(long, long)}, but into about {@code wanted} rounds if those are more. */
  public void cut(long most, long unit, long wanted) {
    long length = end - begin;
    if (length == 0) {
      return;
    }
    long least = Math.max(wanted, Math.ceilDiv(length, most));
    size = alignUp(Math.ceilDiv(length, least), unit);
    rounds = Math.ceilDiv(length, size);
  }

  /** Returns how many rounds there are; 0 where there are no elements. */
  public long rounds() {
    return rounds;
  }

  /** Returns how many elements each round has, but for the last. */
  public long size() {
    return size;
  }

  /** Returns how many elements the share has. */
  public long length() {
    return end - begin;
  }

  /** Returns the first element of the share. */
  public long begin() {
    return begin;
  }

  /** Returns the first element of {@code round}. */
  public long begin(long round) {
    return begin + round * size;
  }

  /** Returns how many elements {@code round} has. */
  public long count(long round) {
    return Math.min(size, end - begin(round));
  }

  /** Returns the smallest multiple of {@code to} that is not less than {@code value}. */
  public static long alignUp(long value, long to) {
    return Math.ceilDiv(value, to) * to;
  }
}
