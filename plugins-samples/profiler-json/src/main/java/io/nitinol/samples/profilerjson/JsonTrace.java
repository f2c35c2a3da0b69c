// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import static io.nitinol.spi.profiler.EventType.NET_PLUGIN;
import static io.nitinol.spi.profiler.EventType.P2P_API;
import static io.nitinol.spi.profiler.EventType.PROXY_CTRL;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
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

/**
 * The events of a rank, in memory that is all there from the beginning; what a report tells comes
 * with it.
 */
@AnyThread
final class JsonTrace implements Profiler.Context {
  /** All but the rests of the progress thread and what network plugins report. */
  private static final int MASK =
      (P2P_API.mask() * 2 - 1) & ~(PROXY_CTRL.mask() | NET_PLUGIN.mask());

  /** All kinds that there are. */
  private static final int REPORTS = ReportType.FAILURE.mask() * 2 - 1;

  private final String file;
  private final JsonTraceText text;
  private final int capacity;
  private final JsonEvent[] events; // 0 is for what nobody keeps, the last for the failure
  private final AtomicInteger used = new AtomicInteger();

  /**
   * Creates a trace.
   *
   * @param text the beginning of the file
   * @param capacity how many events it keeps
   * @throws NetException SYSTEM_ERROR when the file cannot be written, as far as that can be told
   */
  JsonTrace(String file, JsonTraceText text, int capacity) {
    this.file = file;
    this.text = text;
    this.capacity = capacity;
    this.events = new JsonEvent[capacity + 2];
    Arrays.setAll(events, i -> new JsonEvent());
    try {
      OutputFile.requireWritable(Path.of(file));
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
    return isFull() ? ReportType.FAILURE.mask() : REPORTS;
  }

  @Override
  public void report(ProfilerReport report) {
    events[report.type() == ReportType.FAILURE ? capacity + 1 : claim()].start(report);
  }

  private boolean isFull() {
    return used.get() >= capacity;
  }

  /** Returns the number of a new event, from 1; 0 where there is no room. */
  private int claim() {
    int number = isFull() ? 0 : used.incrementAndGet();
    return number > capacity ? 0 : number;
  }

  /** Returns the new event's number, or 0. */
  long start(EventDescriptor descriptor) {
    int number = claim();
    events[number].start(descriptor);
    return number;
  }

  @Override
  public void givenUp(long event) {
    event(event).givenUp = true;
  }

  JsonEvent event(long number) {
    return events[(int) number];
  }

  /** Writes the file; only a regular one is replaced. */
  void write() {
    for (int number = 1; number < events.length; number++) {
      text.add(number, events[number]);
    }
    try {
      OutputFile.write(Path.of(file), text.finished(isFull()));
    } catch (IOException e) {
      throw unwritten(e);
    }
  }

  private NetException unwritten(Exception e) {
    String what = "the trace " + file + ", whose name begins with " + JsonVariables.FILE;
    String message = what + ", cannot be written: " + ErrorText.reason(e);
    return new NetException(ResultCode.SYSTEM_ERROR, message, e);
  }
}
