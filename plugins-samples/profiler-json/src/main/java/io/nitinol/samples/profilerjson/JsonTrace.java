// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.OutputFile;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The events of a rank, in memory that is all there from the beginning; what a report tells comes
 * with it.
 */
@AnyThread
final class JsonTrace implements Profiler.Context {
  /** All but the rests of the progress thread and what network plugins report. */
  private static final int MASK =
      (EventType.P2P_API.mask() * 2 - 1)
          & ~(EventType.PROXY_CTRL.mask() | EventType.NET_PLUGIN.mask());

  private static final int REPORTS =
      ReportType.SLOW_CALL.mask()
          | ReportType.CONNECTION.mask()
          | ReportType.REGISTRATION.mask()
          | ReportType.FAILURE.mask();

  private final String file;
  private final String label;
  private final int rank;
  private final String origin;
  private final JsonEvent[] events;
  private final AtomicInteger used = new AtomicInteger();

  /** The failure of the communicator, whether or not there is room for more events. */
  private volatile @Nullable JsonEvent failure;

  /**
   * Creates a trace.
   *
   * @param origin members of an object, which tell of which rank the trace is, and by which clock
   * @param capacity how many events it keeps; 0 for a trace that is not written
   * @throws NetException SYSTEM_ERROR when the file cannot be written, as far as that can be told
   */
  JsonTrace(String file, String label, int rank, String origin, int capacity) {
    this.file = file;
    this.label = label;
    this.rank = rank;
    this.origin = origin;
    this.events = new JsonEvent[capacity];
    Arrays.setAll(events, i -> new JsonEvent());
    try {
      if (capacity > 0) {
        OutputFile.requireWritable(Path.of(file));
      }
    } catch (IOException | InvalidPathException e) {
      throw unwritten(e);
    }
  }

  /** Asks for nothing more when the memory is full: calls then cost what they cost unprofiled. */
  @Override
  public int activationMask() {
    return isFull() ? 0 : MASK;
  }

  /** Asks for all kinds; when the memory is full, for the failure, for which there is room. */
  @Override
  public int reportMask() {
    return isFull() ? events.length == 0 ? 0 : ReportType.FAILURE.mask() : REPORTS;
  }

  @Override
  public void report(ProfilerReport report) {
    if (report.type() == ReportType.FAILURE) {
      JsonEvent event = new JsonEvent();
      event.start(report);
      failure = event;
    } else {
      int index = isFull() ? events.length : used.getAndIncrement();
      if (index < events.length) {
        events[index].start(report);
      }
    }
  }

  private boolean isFull() {
    return used.get() >= events.length;
  }

  /** Returns the new event's number, from 1; 0 where there is no room. */
  long start(EventDescriptor descriptor) {
    int index = isFull() ? events.length : used.getAndIncrement();
    if (index >= events.length) {
      return 0;
    }
    events[index].start(descriptor);
    return index + 1L;
  }

  @Override
  public void givenUp(long event) {
    event(event).givenUp = true;
  }

  JsonEvent event(long number) {
    return events[(int) number - 1];
  }

  /** Writes the file; only a regular one is replaced. */
  void write() {
    if (events.length == 0) {
      return;
    }
    JsonTraceText text = new JsonTraceText(rank, label, origin, isFull());
    for (int i = 0; i < Math.min(used.get(), events.length); i++) {
      text.add(i + 1, events[i]);
    }
    JsonEvent failed = failure;
    if (failed != null) {
      text.add(events.length + 1, failed);
    }
    try {
      OutputFile.write(Path.of(file), text.toString());
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  private NetException unwritten(Exception e) {
    return new NetException(
        ResultCode.SYSTEM_ERROR,
        ErrorText.of(
            "the trace %s, whose name begins with %s, cannot be written: %s",
            file, JsonVariables.FILE, ErrorText.reason(e)),
        e);
  }
}
