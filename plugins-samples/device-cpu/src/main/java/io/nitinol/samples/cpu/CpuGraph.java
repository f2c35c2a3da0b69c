// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceGraph;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A recorded list of operations; one run at a time. */
final class CpuGraph implements DeviceGraph {
  private final CpuDevice device;
  private final List<StreamOperation> operations;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean closed;

  CpuGraph(CpuDevice device, List<StreamOperation> operations) {
    this.device = device;
    this.operations = operations;
  }

  @Override
  public Device device() {
    return device;
  }

  /** Returns the operation that does all of the graph once. */
  StreamOperation launch() {
    if (closed) {
      throw CpuFailures.state("the graph is closed");
    }
    return Run::new;
  }

  @Override
  public void close() {
    closed = true;
  }

  private final class Run implements StreamWork {
    private int next;
    private boolean mine;
    private @Nullable StreamWork current;

    @Override
    public Progress advance() {
      if (!mine && !running.compareAndSet(false, true)) {
        return Progress.BLOCKED; // an earlier run, launched on another stream
      }
      mine = true;
      boolean over = true;
      try {
        Progress progress = goOn();
        over = progress == Progress.DONE;
        return progress;
      } finally {
        if (over) { // or failed
          running.set(false);
        }
      }
    }

    private Progress goOn() {
      StreamWork work = current;
      if (work == null) {
        if (next == operations.size()) {
          return Progress.DONE;
        }
        work = operations.get(next++).begin();
        current = work;
      }
      Progress progress = work.advance();
      if (progress == Progress.DONE) {
        current = null;
        return Progress.MORE;
      }
      return progress;
    }
  }
}
