// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.cli.perf.collective.PerfRecording;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceStream;

/** What was put into a stream while it captured, as a graph. */
final class StreamRecording implements PerfRecording {
  private final DeviceStream stream;
  private final DeviceGraph graph;

  private StreamRecording(DeviceStream stream, DeviceGraph graph) {
    this.stream = stream;
    this.graph = graph;
  }

  /** Captures what {@code operations} puts into {@code stream}, which is not capturing. */
  static StreamRecording of(DeviceStream stream, Runnable operations) {
    stream.beginCapture();
    try {
      operations.run();
    } catch (RuntimeException | Error e) {
      discard(stream, e);
      throw e;
    }
    return new StreamRecording(stream, stream.endCapture());
  }

  /** Ends a capture of no use, so that the stream can be used and closed. */
  private static void discard(DeviceStream stream, Throwable failure) {
    try {
      stream.endCapture().close();
    } catch (DeviceException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void start() {
    stream.launch(graph);
  }

  @Override
  public void close() {
    graph.close();
  }
}
