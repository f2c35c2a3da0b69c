// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.toolkit.thread.OnlyThread;

/**
 * The last phase of a group that was running: it sends the last results within a time limit. In a
 * tree it first waits for the root, which decides how many operations still count.
 */
@OnlyThread("switch worker")
final class GroupDrain {
  private static final long LIMIT_NANOS = 5_000_000_000L;

  /** The result of a poll. */
  enum Step {
    /** Something moved. */
    MOVED,
    /** Nothing did. */
    IDLE,
    /** The root has not decided in time. */
    UNANSWERED,
    /** All results are sent, or the time is over. */
    OVER
  }

  private final SwitchFlow flow;
  private final boolean awaitsVerdict;
  private final long deadline = System.nanoTime() + LIMIT_NANOS;

  private GroupDrain(SwitchFlow flow, boolean awaitsVerdict) {
    this.flow = flow;
    this.awaitsVerdict = awaitsVerdict;
  }

  /** Takes no more contributions, and waits for the root's decision. */
  static GroupDrain beforeVerdict(SwitchFlow flow) {
    flow.halt();
    return new GroupDrain(flow, true);
  }

  /**
   * Sends the last results.
   *
   * @param operations how many operations' results are sent
   */
  static GroupDrain afterVerdict(SwitchFlow flow, long operations) {
    flow.limit(operations);
    return new GroupDrain(flow, false);
  }

  /** Returns whether the root has still to decide of how many operations the results count. */
  boolean awaitsVerdict() {
    return awaitsVerdict;
  }

  /**
   * Does what can be done now.
   *
   * @throws PeerException as {@link SwitchFlow#poll} does
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
