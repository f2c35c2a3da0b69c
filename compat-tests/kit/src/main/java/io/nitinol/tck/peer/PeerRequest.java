// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.NetSession;
import java.util.Arrays;

/** An operation in flight in the process of a {@link Peer}, with memory of its own. */
public final class PeerRequest {
  /** The answer about a send that the plugin has not taken; a receive is taken from the start. */
  static final String NO_ROOM = "room";

  private final Peer peer;
  private final int id;

  private boolean taken;

  PeerRequest(Peer peer, int id, boolean taken) {
    this.peer = peer;
    this.id = id;
    this.taken = taken;
  }

  /** Returns whether the plugin has the send there, after one more call where it had not. */
  public boolean isTaken() {
    taken = taken || peer.ask("NET-SEND-08", "isend", 0, PeerEnd::isYes, "post", id).get();
    return taken;
  }

  /**
   * Waits until the plugin has the operation there, for as long as the kit has patience.
   *
   * @param here what calls the plugin on this side meanwhile
   * @throws RuleViolation of NET-SEND-02 when it never has
   */
  public void awaitTaken(NetSession session, Runnable here) {
    session.await(
        "NET-SEND-02",
        "room for a send in the peer process",
        () -> {
          if (isTaken()) {
            return true;
          }
          here.run();
          return false;
        });
  }

  /**
   * Tests the operation there until it is complete or the time is over.
   *
   * @param millis for how long; 0 for a single call
   * @return the sizes of its pieces; none while it is not complete
   */
  public PeerAnswer<int[]> test(long millis) {
    return peer.ask("NET-TEST-02", "test", millis, PeerRequest::sizes, "test", id, millis);
  }

  /**
   * Posts the operation there, where it had no room, and tests it until it is complete, for as long
   * as the kit has patience.
   */
  public PeerAnswer<int[]> finish() {
    return peer.ask(
        "NET-TEST-02",
        "test",
        peer.patience(),
        text -> {
          if (text.equals(NO_ROOM)) {
            throw new RuleViolation(
                "NET-SEND-02", "in the peer process, waited in vain for room for a send");
          }
          int[] sizes = sizes(text);
          if (sizes.length == 0) {
            throw new RuleViolation(
                "NET-TEST-05", "in the peer process, waited in vain for an operation to complete");
          }
          return sizes;
        },
        "test",
        id,
        peer.patience());
  }

  /**
   * Compares what was received with the message that {@code GuardedArea.fill} makes.
   *
   * @return the first wrong byte; -1 where all are right
   */
  public long firstDifference(int piece, long length, long seed) {
    return peer.ask(
            "NET-SEND-08",
            "the look at what was received",
            0,
            Long::parseLong,
            "verify",
            id,
            piece,
            length,
            seed)
        .get();
  }

  private static int[] sizes(String text) {
    if (text.equals("no") || text.equals(NO_ROOM)) {
      return new int[0];
    }
    return Arrays.stream(text.split(" ")).skip(1).mapToInt(Integer::parseInt).toArray();
  }
}
