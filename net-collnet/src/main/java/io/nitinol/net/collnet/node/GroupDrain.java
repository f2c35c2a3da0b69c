// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

/**
 * The end of a group that was running: the last results go out, for a while at the most, and in a
 * tree the root's word is awaited of how many operations they are. Used by the group's thread.
 */
final class GroupDrain {
  private static final long LIMIT_NANOS = 5_000_000_000L;

  /** What came of a look. */
  enum Step {
    /** Something moved. */
    MOVED,
    /** Nothing did. */
    IDLE,
    /** The root has not said its word in time. */
    UNANSWERED,
    /** All is out, or it took too long. */
    OVER
  }

  private final Flow flow;
  private final boolean awaitsVerdict;
  private final long deadline = System.nanoTime() + LIMIT_NANOS;

  private GroupDrain(Flow flow, boolean awaitsVerdict) {
    this.flow = flow;
    this.awaitsVerdict = awaitsVerdict;
  }

  /** Takes no more contributions, and waits for the root's word. */
  static GroupDrain beforeVerdict(Flow flow) {
    flow.halt();
    return new GroupDrain(flow, true);
  }

  /**
   * Lets the last results go out.
   *
   * @param operations of how many operations the results count
   */
  static GroupDrain afterVerdict(Flow flow, long operations) {
    flow.limit(operations);
    return new GroupDrain(flow, false);
  }

  /** Returns whether the root has still to say of how many operations the results count. */
  boolean awaitsVerdict() {
    return awaitsVerdict;
  }

  /**
   * Does what can be done now.
   *
   * @throws PeerException as {@link Flow#poll} does
   */
  Step poll(long now) {
    if (!awaitsVerdict && flow.isDrained()) {
      return Step.OVER;
    }
    if (now - deadline >= 0) {
      return awaitsVerdict ? Step.UNANSWERED : Step.OVER;
    }
    return flow.poll() ? Step.MOVED : Step.IDLE;
  }
}
