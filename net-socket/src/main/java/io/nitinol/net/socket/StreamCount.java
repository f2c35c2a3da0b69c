// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.toolkit.connect.Agreement;

/**
 * How many TCP connections a comm has: always one for control, which carries everything where there
 * are none for data. The listening side chooses, and its handle tells the connecting side, as in
 * NCCL.
 *
 * @param data how many streams carry data beside the control stream
 * @param threads how many threads of their own move these, 0 for none
 */
record StreamCount(int data, int threads) {
  /** As many threads as NCCL allows. */
  static final int MOST_THREADS = 16;

  /** As many data sockets as NCCL allows. */
  static final int MOST_DATA = 64;

  /** The control stream and nothing else. */
  static final StreamCount ONE = new StreamCount(0, 0);

  /** Returns what a listener and who connects to it have agreed about. */
  static StreamCount of(Agreement agreement) {
    return new StreamCount(agreement.streams() - 1, agreement.detail());
  }

  /** Returns what a listener says in its handle for this: the threads are its detail. */
  Agreement agreement() {
    return new Agreement(total(), threads);
  }

  /** Returns whether a comm can be made of so many. */
  boolean isPossible() {
    return data >= 0 && data <= MOST_DATA && threads >= 0 && threads <= MOST_THREADS;
  }

  /** Returns the number of all streams; the control stream has index 0. */
  int total() {
    return data + 1;
  }
}
