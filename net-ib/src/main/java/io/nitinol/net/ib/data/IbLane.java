// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.SendRequests;

/**
 * One queue pair of a connection, and how full its send queue may be at this moment: a request
 * counts until a completion has come for it or for one behind it. So never more is posted than the
 * queue holds, nor than the completion queue holds if every request fails.
 */
final class IbLane {
  /** Its place in the connection; the same on both sides. */
  final int index;

  /** Which of this side's ports it is on, from 0. */
  final int port;

  /** Which of the peer's ports it leads to, from 0. */
  final int peerPort;

  final QueuePair pair;

  private final int generation;
  private final int depth;

  // Both count around.
  private int posted;
  private int retired;
  private int unsignaled;

  /**
   * Takes a queue pair over.
   *
   * @param generation which of the connection's it is one of, see {@link WorkId}
   * @param depth how many sends it holds
   */
  IbLane(int index, int port, int peerPort, QueuePair pair, int generation, int depth) {
    this.index = index;
    this.port = port;
    this.peerPort = peerPort;
    this.pair = pair;
    this.generation = generation;
    this.depth = depth;
  }

  /** Returns how many requests can be posted now. */
  int room() {
    return depth - (posted - retired);
  }

  /**
   * Begins a request.
   *
   * @param ahead how many have begun since the last {@link #post}
   * @return its id
   */
  long id(int kind, int slot, int ahead) {
    return WorkId.of(kind, index, generation, slot, posted + ahead + 1);
  }

  /** Returns the id of a receive that is posted on the queue pair. */
  long receiveId(int slot) {
    return WorkId.of(WorkId.RECEIVE, index, generation, slot, 0);
  }

  /**
   * Returns whether a request has to be signalled although no caller waits for it: so often that
   * the queue never stands full of requests of which no completion comes.
   */
  boolean signalDue() {
    return ++unsignaled >= (depth + 1) / 2;
  }

  /** Notes that a request is signalled. */
  void signaled() {
    unsignaled = 0;
  }

  /** Posts a chain of {@code count} requests from the first on. */
  void post(SendRequests chain, int count) {
    chain.next(count - 1, -1);
    try {
      pair.post(chain, 0);
    } finally {
      // Where one is refused those before it count; the comm has failed then anyhow.
      posted += count;
      if (count < chain.count()) {
        chain.next(count - 1, count);
      }
    }
  }

  /** Notes that a request has completed, and all before it. */
  void retire(long id) {
    int upTo = WorkId.posted(id);
    if (upTo - retired > 0) {
      retired = upTo;
    }
  }
}
