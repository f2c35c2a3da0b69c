// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import org.jspecify.annotations.Nullable;

/** An event: its newest {@link Point}. */
final class CpuEvent implements DeviceEvent {
  private final CpuDevice device;
  private final boolean timed;
  private volatile @Nullable Point point;
  private volatile boolean closed;

  CpuEvent(CpuDevice device, boolean timed) {
    this.device = device;
    this.timed = timed;
  }

  @Override
  public Device device() {
    return device;
  }

  void set(Point newest) {
    point = newest;
  }

  /** Returns the newest record, or null where there is none. */
  @Nullable Point point() {
    requireOpen();
    return point;
  }

  void requireOpen() {
    if (closed) {
      throw CpuFailures.state("the event is closed");
    }
  }

  @Override
  public boolean query() {
    Point newest = point();
    return newest == null || newest.query();
  }

  @Override
  public boolean synchronize(long timeoutNanos) {
    Point newest = point();
    return newest == null || newest.synchronize(timeoutNanos);
  }

  @Override
  public long elapsedNanos(DeviceEvent start) {
    if (!(start instanceof CpuEvent earlier) || earlier.device != device) {
      throw CpuFailures.invalid("%s is no event of %s", start, device.name());
    }
    return nanos() - earlier.nanos();
  }

  private long nanos() {
    Point newest = point();
    if (!timed || newest == null) {
      throw CpuFailures.state("the event %s", timed ? "was never recorded" : "is not timed");
    }
    return newest.nanos();
  }

  @Override
  public void close() {
    closed = true;
  }
}
