// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives of one piece each that a test has posted on a connection before it sends. Each is tested
 * until it has completed and never again. One thread at a time.
 */
public final class PostedReceives {
  private static final class Posted {
    final Request request;
    final Flag done = new Flag();
    final int[] size = {-1};

    Posted(Request request) {
      this.request = request;
    }
  }

  private final NetConnection connection;
  private final List<Posted> all = new ArrayList<>();

  /** Starts without any. */
  public PostedReceives(NetConnection connection) {
    this.connection = connection;
  }

  /** Adds one that is younger than the others. */
  public void add(Request receive) {
    all.add(new Posted(receive));
  }

  /** Returns one of them, counted from 0 in the order in which they were added. */
  public Request get(int index) {
    return all.get(index).request;
  }

  /** Returns whether one has completed. */
  public boolean isDone(int index) {
    return all.get(index).done.by(() -> false);
  }

  /** Tests one once, unless it has completed; true when it has. */
  public boolean test(int index) {
    Posted posted = all.get(index);
    return posted.done.by(() -> connection.testRecv(posted.request, posted.size));
  }

  /**
   * Tests the oldest one that has not completed, as NCCL does while its peer waits for room.
   *
   * @param sent how many messages the plugin has; a receive behind theirs cannot have completed
   * @throws RuleViolation NET-TEST-05 when such a receive has
   */
  public void testOldest(int sent) {
    int oldest = 0;
    while (oldest < all.size() && isDone(oldest)) {
      oldest++;
    }
    if (oldest < all.size() && test(oldest) && oldest >= sent) {
      throw new RuleViolation("NET-TEST-05", "a receive was complete before its send");
    }
  }

  /**
   * Tests a send and the receive of its message until both have completed.
   *
   * @return the size of the message, as the receive reported it
   */
  public int finish(NetSession session, Request sending, int index) {
    Flag sent = new Flag();
    session.await(
        "NET-TEST-05",
        "message " + index + " to be complete on both sides",
        () -> {
          boolean gone = sent.by(() -> connection.testSend(sending, null));
          return test(index) && gone;
        });
    return all.get(index).size[0];
  }
}
