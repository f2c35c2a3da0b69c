// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

/**
 * When the receiver tells the sender of receives. NCCL writes a clear-to-send entry for each as
 * soon as it is posted: the first ones are what a sender waits for. One that has several receives
 * ahead of it does not wait for the next, and then entries that lie next to one another travel
 * together: one work request, packet and acknowledgement, one doorbell, and one write into the
 * sender's memory instead of several, which for small messages is as much work as the messages
 * themselves.
 *
 * <p>A receive waits only while at least {@link #ENOUGH} others, and more than half of those that
 * are open, are announced and not complete. So none waits that nobody is waiting in front of: those
 * complete, which the receiver's next call notices, and then it is due. Used by the driver of the
 * comm.
 */
final class Announcements {
  /** How many receives a sender has to know of at least before others wait. */
  static final int ENOUGH = 4;

  /** The number of the first receive that is not announced. */
  private long next;

  /** How many have been posted and are not complete. */
  private int open;

  /** How many of those are announced. */
  private int known;

  /** Whether one has to be announced at once. */
  private boolean urgent;

  /** Returns the number of the first receive that is not announced. */
  long next() {
    return next;
  }

  /** Notes a receive. One of several pieces has a write of its own, which waiting does not save. */
  void posted(int pieces) {
    open++;
    urgent |= pieces > 1;
  }

  /** Returns whether all that are not announced should be. */
  boolean isDue() {
    return known < open && (urgent || known < ENOUGH || 2 * known <= open);
  }

  /** Notes that some, from the next on, have been announced. */
  void announced(int count) {
    next += count;
    known += count;
    urgent &= known < open;
  }

  /** Notes that the next one needs not be. */
  void skip() {
    next++;
  }

  /**
   * Notes that a receive is complete. The sender may have known of it otherwise: from before a
   * failover.
   */
  void completed(long receive) {
    open--;
    if (receive < next) {
      known--;
    }
  }

  /** Begins again: of those from {@code first} on the sender is told once more. */
  void again(long first) {
    next = first;
    known = 0;
    urgent = true;
  }
}
