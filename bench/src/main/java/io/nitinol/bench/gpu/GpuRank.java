// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One of our ranks: its device, buffers, stream, and the graph that is recorded. */
final class GpuRank implements AutoCloseable {
  /** How long work may take; the bench waits a little longer for an answer. */
  static final long PATIENCE = TimeUnit.SECONDS.toNanos(50);

  private final int number;
  private final Device device;
  private final DeviceStream stream;
  private final DeviceEvent start;
  private final DeviceEvent end;
  private final DeviceMemory in;
  private final DeviceMemory out;
  private @Nullable DeviceGraph graph;

  GpuRank(int number, Device device, long capacity) {
    this.number = number;
    this.device = device;
    this.stream = device.createStream(false);
    this.start = device.createEvent(true);
    this.end = device.createEvent(true);
    this.in = device.allocate(capacity);
    this.out = device.allocate(capacity);
  }

  int number() {
    return number;
  }

  Device device() {
    return device;
  }

  DeviceStream stream() {
    return stream;
  }

  DeviceMemory in() {
    return in;
  }

  DeviceMemory out() {
    return out;
  }

  /** Waits for the stream's work, which involves no other rank. */
  void finish(String what) {
    if (!stream.synchronize(PATIENCE)) {
      throw new IllegalStateException("rank " + number + " is not done after 50 s: " + what);
    }
  }

  void recordStart() {
    stream.record(start);
  }

  void recordEnd() {
    stream.record(end);
  }

  /** Returns the nanoseconds between the two records. */
  long elapsedNanos() {
    return end.elapsedNanos(start);
  }

  void keepGraph() {
    graph = stream.endCapture();
  }

  void launchGraph() {
    DeviceGraph recorded = graph;
    if (recorded == null) {
      throw new IllegalStateException("rank " + number + " has recorded no graph");
    }
    stream.launch(recorded);
  }

  void dropGraph() {
    DeviceGraph recorded = graph;
    if (recorded != null) {
      recorded.close();
      graph = null;
    }
  }

  @Override
  public void close() {
    dropGraph();
    out.close();
    in.close();
    end.close();
    start.close();
    stream.close();
  }
}
