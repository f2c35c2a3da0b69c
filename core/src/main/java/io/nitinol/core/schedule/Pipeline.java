// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

import io.nitinol.toolkit.thread.OneThread;

/**
 * The order of steps where each item passes through stages and the stages of successive items
 * overlap: turn {@code t} does its stages one after the other, each for the item {@code t} less the
 * stage's lag. Finds the step with a given number without walking there. Allocates nothing after
 * construction.
 */
@OneThread
public final class Pipeline {
  private final int[] lags;
  private final int mostLag;
  private final long[] steps;
  private long items;
  private long total;

  private int stage;
  private long item;
  private int part;

  /**
   * Creates a pipeline without items.
   *
   * @param lags how many turns each stage is behind the item's number, in the order in which a turn
   *     does the stages
   */
  public Pipeline(int... lags) {
    int most = 0;
    for (int lag : lags) {
      if (lag < 0) {
        throw new IllegalArgumentException("lag " + lag + "; expected 0 or more");
      }
      most = Math.max(most, lag);
    }
    this.lags = lags.clone();
    this.mostLag = most;
    this.steps = new long[lags.length];
  }

  /** Sets how many steps a stage has for each item, for the next {@link #plan}. */
  public void setSteps(int ofStage, long each) {
    steps[ofStage] = each;
  }

  /** Sets how many items there are. */
  public void plan(long ofItems) {
    items = ofItems;
    total = 0;
    for (long each : steps) {
      total += items * each;
    }
  }

  /** Returns how many steps there are. */
  public long steps() {
    return total;
  }

  /** Goes to step {@code index}, which {@link #stage}, {@link #item} and {@link #part} tell. */
  public void seek(long index) {
    Schedule.checkIndex(index, total);
    long low = 0;
    long high = items + mostLag - 1;
    while (low < high) { // the last turn that begins at or before the step
      long middle = (low + high + 1) >>> 1;
      if (before(middle) <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long rest = index - before(low);
    int at = 0;
    while (rest >= steps(at, low)) {
      rest -= steps(at, low);
      at++;
    }
    stage = at;
    item = low - lags[at];
    part = (int) rest;
  }

  /** Returns how many steps there are before turn {@code turn}. */
  private long before(long turn) {
    long sum = 0;
    for (int s = 0; s < lags.length; s++) {
      sum += steps[s] * Math.clamp(turn - lags[s], 0, items);
    }
    return sum;
  }

  /** Returns how many steps a stage has in a turn. */
  private long steps(int ofStage, long turn) {
    long which = turn - lags[ofStage];
    return which >= 0 && which < items ? steps[ofStage] : 0;
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
