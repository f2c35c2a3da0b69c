// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

/** A thread's vector clock: what of every thread has happened before what it does now. */
final class Clock {
  final int thread;
  private final long[] times;

  Clock(int thread, int threads) {
    this.thread = thread;
    this.times = new long[threads];
  }

  long tick() {
    return ++times[thread];
  }

  long now() {
    return times[thread];
  }

  boolean hasSeen(int otherThread, long time) {
    return times[otherThread] >= time;
  }

  long[] snapshot() {
    return times.clone();
  }

  void join(long[] other) {
    for (int i = 0; i < times.length; i++) {
      times[i] = Math.max(times[i], other[i]);
    }
  }
}
