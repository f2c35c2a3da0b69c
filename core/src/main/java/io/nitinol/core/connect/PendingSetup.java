// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import org.jspecify.annotations.Nullable;

/** A connection or a team's memory that is being made. Only the connect thread calls it. */
interface PendingSetup {

  /** Begins, when it has been asked for. */
  void begin();

  /** Takes another rank's notice about it. */
  void heard(ConnectNotice notice);

  /** Notes that {@link #begin} or {@link #heard} has thrown {@code e}. */
  void troubled(Throwable e);

  /** Moves on; returns whether it came about, or at least a step closer. */
  boolean poll();

  /** Looks, now and then, whether a rank that it needs has left or time has settled a doubt. */
  void review();

  /** Returns whether polls are to come at short intervals. */
  boolean isActive();

  /** Returns whether there is nothing more to do. */
  boolean isOver();

  /** Returns whether it is over because a rank has left, so that it never comes about. */
  boolean isLost();

  /** Gives up: what has been begun is closed now, or by a thread that is inside the plugin. */
  void abandon();

  /**
   * Waits for the thread of something abandoned.
   *
   * @param until by {@link System#nanoTime}
   * @return its name where it does not come back
   */
  @Nullable String stuck(long until);
}
