// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.config.SocketVariables;
import io.nitinol.toolkit.connect.Agreement;

/**
 * The number of TCP connections of a comm: always one for control, which carries everything where
 * there are none for data. The listening side chooses, and its handle tells the connecting side, as
 * in NCCL.
 *
 * @param data how many streams carry data beside the control stream
 * @param threads how many threads may help with these, 0 for none
 */
public record StreamCount(int data, int threads) {
  /** As many threads as NCCL allows. */
  static final int MOST_THREADS = SocketVariables.MOST_THREADS;

  /** As many data sockets as NCCL allows. */
  static final int MOST_DATA = SocketVariables.MOST_DATA;

  /** The control stream and nothing else. */
  public static final StreamCount ONE = new StreamCount(0, 0);

  /** Returns the number that a listener and the side that connects to it have agreed on. */
  public static StreamCount of(Agreement agreement) {
    return new StreamCount(agreement.streams() - 1, agreement.detail());
  }

  /** Returns this as a listener's handle carries it: the threads are its detail. */
  public Agreement agreement() {
    return new Agreement(total(), threads);
  }

  /** Returns whether a comm can have so many. */
  public boolean isPossible() {
    return data >= 0 && data <= MOST_DATA && threads >= 0 && threads <= MOST_THREADS;
  }

  /** Returns the number of all streams; the control stream has index 0. */
  int total() {
    return data + 1;
  }
}
