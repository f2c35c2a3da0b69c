// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.check.RuleViolation;

/** The end of a connection in the process of a {@link Peer}: an attempt, or a comm. */
public final class PeerEnd {
  /** How long a send waits for room that needs no call on the other side. */
  private static final long ROOM_MILLIS = 100;

  private final Peer peer;
  private final int id;
  private final String verb;
  private final String arguments;

  PeerEnd(Peer peer, String verb, String arguments) {
    this.peer = peer;
    this.id = peer.newId();
    this.verb = verb;
    this.arguments = arguments;
  }

  /** Returns the peer. */
  public Peer peer() {
    return peer;
  }

  /**
   * Calls connect or accept there until there is a comm or the time is over.
   *
   * @param millis for how long; 0 for a single call
   * @return whether there is a comm. A failure breaks NET-CONN-04: the same calls work inside one
   *     process, or another rule's test reports why not
   */
  public PeerAnswer<Boolean> advance(long millis) {
    return peer.ask(Peer.CONNECTS, verb, millis, PeerEnd::isYes, verb, id, arguments, millis);
  }

  /** Calls connect or accept there until there is a comm, for as long as the kit has patience. */
  public PeerAnswer<Boolean> advance() {
    return advance(peer.patience());
  }

  /**
   * Posts a send of a message of these bytes. Where there is no room at once, the peer tries again
   * in each later command about this comm: the plugin may need calls on this side meanwhile, which
   * NCCL always makes on both. A test for which it has to be under way calls {@link
   * PeerRequest#awaitTaken}.
   */
  public PeerRequest send(long size, long seed, int tag) {
    int operation = peer.newId();
    boolean taken =
        peer.ask(
                "NET-SEND-08",
                "isend",
                ROOM_MILLIS,
                PeerEnd::isYes,
                "send",
                operation,
                id,
                size,
                seed,
                tag,
                ROOM_MILLIS)
            .get();
    return new PeerRequest(peer, operation, taken);
  }

  /** Posts a receive of one piece with tag 0, waiting for room. */
  public PeerRequest receive(long size) {
    return receive(new long[] {size}, new int[] {0});
  }

  /** Posts a receive of as many pieces as the arrays are long, waiting for room. */
  public PeerRequest receive(long[] sizes, int[] tags) {
    int operation = peer.newId();
    StringBuilder pieces = new StringBuilder();
    for (int i = 0; i < sizes.length; i++) {
      pieces.append(i == 0 ? "" : " ").append(sizes[i]).append(':').append(tags[i]);
    }
    boolean posted =
        peer.ask(
                "NET-RECV-02",
                "irecv",
                peer.patience(),
                PeerEnd::isYes,
                "receive",
                operation,
                id,
                peer.patience(),
                pieces)
            .get();
    if (!posted) {
      throw new RuleViolation(
          "NET-RECV-02",
          "in the peer process, waited in vain for room for a receive of "
              + sizes.length
              + " pieces");
    }
    return new PeerRequest(peer, operation, true);
  }

  /** Closes the comm. */
  public void close() {
    peer.ask("NET-CLOSE-02", "a close", 0, text -> text, "close", id).get();
  }

  static boolean isYes(String text) {
    return text.equals("yes");
  }
}
