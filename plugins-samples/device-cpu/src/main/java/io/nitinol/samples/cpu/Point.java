// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One record of an event: a place in a stream, or in a capture. Safe for any thread. */
final class Point implements StreamOperation {
  /** Where an event was recorded into, or null for a stream that does its work. */
  private final @Nullable Capture capture;

  /** For a capture: how much of each of its streams lies before this point. */
  private final Map<StreamQueue, Integer> before;

  private boolean done;
  private long nanos;
  private @Nullable DeviceException failure;

  private Point(@Nullable Capture capture, Map<StreamQueue, Integer> before) {
    this.capture = capture;
    this.before = before;
  }

  static Point ofWork() {
    return new Point(null, Map.of());
  }

  static Point ofCapture(Capture capture, Map<StreamQueue, Integer> before) {
    return new Point(capture, Map.copyOf(before));
  }

  @Nullable Capture capture() {
    return capture;
  }

  Map<StreamQueue, Integer> before() {
    return before;
  }

  @Override
  public StreamWork begin() {
    complete(null);
    return StreamWork.NONE;
  }

  @Override
  public void skip(DeviceException earlier) {
    complete(earlier);
  }

  private synchronized void complete(@Nullable DeviceException earlier) {
    nanos = System.nanoTime();
    failure = earlier;
    done = true;
    notifyAll();
  }

  /** Returns whether the work before is done, or throws what has failed in it. */
  synchronized boolean query() {
    requireWork();
    if (failure != null) {
      throw CpuFailures.again(failure);
    }
    return done;
  }

  synchronized boolean synchronize(long timeoutNanos) {
    requireWork();
    CpuDeadline deadline = new CpuDeadline(timeoutNanos);
    while (!done && deadline.waitOn(this)) {
      // asked again: a notification may come for nothing
    }
    return query();
  }

  /** Returns when the work before was done, by the clock of {@link System#nanoTime}. */
  synchronized long nanos() {
    if (!query()) {
      throw CpuFailures.state("the event is not complete");
    }
    return nanos;
  }

  private void requireWork() {
    if (capture != null) {
      throw CpuFailures.state("the event was recorded into a capture");
    }
  }
}
