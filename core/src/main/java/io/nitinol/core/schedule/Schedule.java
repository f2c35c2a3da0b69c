// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * What one rank does in one task of a collective, in order. A step may begin when the one before it
 * is done, what it awaits has been signalled, the message it receives has arrived, and there is
 * room where it sends or puts. Steps are computed when asked for, without allocation. A rank may
 * run several schedules of one operation side by side on one channel; no two of them send to the
 * same rank or receive from the same rank, and only one of them has rounds.
 *
 * <p>A schedule is made once for a rank and planned anew for each operation; it belongs to one
 * thread at a time. Its peers do not depend on the plan, so that connections are made once, and are
 * mutual: a rank that has {@code b} among its {@link #sendPeers} is among the {@link #recvPeers} of
 * a schedule of {@code b} for the same channel and algorithm.
 */
public interface Schedule {

  /** Returns the ranks that steps may send to; not to be changed. */
  int[] sendPeers();

  /** Returns the ranks that steps may receive from; not to be changed. */
  int[] recvPeers();

  /**
   * Lays out the steps for an operation.
   *
   * @param count elements, in the sense of the collective: of the whole buffer where all buffers
   *     are of one size, per rank otherwise; 0 gives no steps
   * @param elementBytes size of an element, a power of two up to 64
   * @param root the rank that the collective begins or ends at; ignored where it has none
   * @param channels how many channels share the operation, from 1; a schedule made for a channel
   *     beyond has no steps then
   */
  void plan(long count, int elementBytes, int root, int channels);

  /** Returns how many steps there are. */
  long steps();

  /**
   * Tells what a step does.
   *
   * @param index which step, from 0 to {@link #steps} - 1
   * @param into where the answer goes
   */
  void step(long index, Step into);

  /** Returns how many messages the steps receive from {@code peer}; empty ones do not exist. */
  long receives(int peer);

  /**
   * Returns whether each message waits for one that answers the message before, so that never two
   * are under way. A thread that sends while another one receives gains nothing then.
   */
  default boolean sendsOneByOne() {
    return false;
  }

  /** Returns what a dump calls this. */
  default String label() {
    return getClass().getSimpleName();
  }

  /** Returns how many rounds of the team the steps use, the same on all its members. */
  default long rounds() {
    return 0;
  }

  /**
   * Makes sure that there is a step with a number.
   *
   * @throws IndexOutOfBoundsException when there is not
   */
  static void checkIndex(long index, long steps) {
    if (index < 0 || index >= steps) {
      throw new IndexOutOfBoundsException("step " + index + " of " + steps);
    }
  }
}
