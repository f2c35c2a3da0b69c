// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.util.concurrent.TimeUnit;

/**
 * How long a test waits for something that a right plugin does at once. Once a plugin has let the
 * kit wait in vain, the kit waits less for it: each of a hundred tests would otherwise take the
 * full time. One per lane, any thread.
 */
public final class KitPatience {
  private static final long FIRST = TimeUnit.SECONDS.toNanos(10);
  private static final long LATER = TimeUnit.SECONDS.toNanos(2);

  /** The CONNECT bound, within which init ends. */
  private static final long START = TimeUnit.SECONDS.toNanos(60);

  /** Enough for any init of a plugin whose init has been seen not to end. */
  private static final long LATER_START = TimeUnit.SECONDS.toNanos(5);

  /** A run that is given more time than usual keeps this part of it. */
  private static final int PART = 5;

  private final long first;
  private final long later;
  private volatile long nanos;
  private volatile boolean startHung;

  /** With the usual ten seconds. */
  public KitPatience() {
    this(FIRST);
  }

  /** With as many nanoseconds to begin with. */
  public KitPatience(long nanos) {
    this.first = nanos;
    this.nanos = nanos;
    this.later = Math.max(LATER, nanos / PART);
  }

  /** Returns the time in nanoseconds. */
  public long nanos() {
    return nanos;
  }

  /** Returns the time in nanoseconds after which a call that should return at once is given up. */
  public long promptNanos() {
    return nanos / 2;
  }

  /** Returns the time in nanoseconds after which an init is given up. */
  public long startNanos() {
    return scaled(startHung ? LATER_START : START);
  }

  /** Notes that an init has not ended within its bound: none is waited for as long again. */
  public void startHung() {
    startHung = true;
  }

  /** Returns whether an init has not ended. */
  public boolean hasStartHung() {
    return startHung;
  }

  /** Returns whether something was waited for in vain. */
  public boolean isDisappointed() {
    return nanos < first;
  }

  /**
   * Returns a limit that is {@code usual} on a usual machine. A run that is given more patience is
   * on one where everything takes longer, the start of a process above all.
   *
   * @param usual in any unit
   */
  public long scaled(long usual) {
    return Math.max(usual, Math.round((double) usual * first / FIRST));
  }

  /** Notes that something was waited for in vain. */
  public void disappointed() {
    nanos = Math.min(nanos, later);
  }
}
