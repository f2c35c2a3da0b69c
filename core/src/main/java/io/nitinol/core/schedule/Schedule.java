// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * What one rank does on one channel, in order. A step may begin when the one before it is done, the
 * message it receives has arrived and there is a free slot for the message it sends. Steps are
 * computed when asked for, without allocation.
 */
public interface Schedule {

  /** Returns how many steps there are. */
  long steps();

  /** Returns how many messages the steps receive, those without elements not counted. */
  long receives();

  /**
   * Tells what a step does.
   *
   * @param index which step, from 0 to {@link #steps} - 1
   * @param into where the answer goes
   */
  void step(long index, Step into);
}
