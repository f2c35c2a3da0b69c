// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * The order of steps where each item passes through up to three stages and the stages of successive
 * items overlap: turn {@code t} does stage 0 of item {@code t}, then stage 1 of item {@code t -
 * lag1}, then stage 2 of item {@code t - lag2}. Finds the step with a given number without walking
 * there. Belongs to one thread at a time; allocates nothing after construction.
 */
public final class Pipeline {
  private final long lag1;
  private final long lag2;
  private long items;
  private long steps0;
  private long steps1;
  private long steps2;
  private long total;

  private int stage;
  private long item;
  private int part;

  /**
   * Creates a pipeline without items.
   *
   * @param lag1 how many turns stage 1 is behind stage 0
   * @param lag2 how many turns stage 2 is behind stage 0, no less than {@code lag1}
   */
  public Pipeline(int lag1, int lag2) {
    if (lag1 < 0 || lag2 < lag1) {
      throw new IllegalArgumentException("lags " + lag1 + " and " + lag2);
    }
    this.lag1 = lag1;
    this.lag2 = lag2;
  }

  /** Sets how many items there are, and how many steps each stage of an item has. */
  public void plan(long ofItems, long first, long second, long third) {
    items = ofItems;
    steps0 = first;
    steps1 = second;
    steps2 = third;
    total = items * (first + second + third);
  }

  /** Returns how many steps there are. */
  public long steps() {
    return total;
  }

  /** Goes to step {@code index}, which {@link #stage}, {@link #item} and {@link #part} tell. */
  public void seek(long index) {
    Schedule.checkIndex(index, total);
    long low = 0;
    long high = items + lag2 - 1;
    while (low < high) { // the last turn that begins at or before the step
      long middle = (low + high + 1) >>> 1;
      if (before(middle) <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long rest = index - before(low);
    long steps = isUnderWay(low) ? steps0 : 0;
    if (rest < steps) {
      set(0, low, rest);
      return;
    }
    rest -= steps;
    steps = isUnderWay(low - lag1) ? steps1 : 0;
    if (rest < steps) {
      set(1, low - lag1, rest);
    } else {
      set(2, low - lag2, rest - steps);
    }
  }

  private void set(int ofStage, long ofItem, long ofPart) {
    stage = ofStage;
    item = ofItem;
    part = (int) ofPart;
  }

  /** Returns how many steps there are before turn {@code turn}. */
  private long before(long turn) {
    return steps0 * Math.min(turn, items)
        + steps1 * Math.clamp(turn - lag1, 0, items)
        + steps2 * Math.clamp(turn - lag2, 0, items);
  }

  private boolean isUnderWay(long which) {
    return which >= 0 && which < items;
  }

  /** Returns the stage of the step that was sought last. */
  public int stage() {
    return stage;
  }

  /** Returns the item of the step that was sought last. */
  public long item() {
    return item;
  }

  /** Returns which of its stage's steps the one is that was sought last, from 0. */
  public int part() {
    return part;
  }
}
