// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A profiler that writes a trace for each rank when its communicator closes. */
public final class JsonProfiler implements Profiler {

  /** Creates the profiler; for ServiceLoader. It reads variables when a communicator is made. */
  public JsonProfiler() {}

  @Override
  public String name() {
    return "JSON";
  }

  @Override
  public Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    Settings settings = Settings.process();
    String prefix = settings.get(JsonVariables.FILE);
    String file = ErrorText.of("%s-%x-%d.json", prefix, commId, rank);
    int capacity = prefix.isEmpty() ? 0 : settings.get(JsonVariables.EVENTS);
    String job = commName == null ? "" : " in " + commName;
    String label = ErrorText.of("rank %d of %d%s", rank, ranks, job);
    String origin =
        ErrorText.of("\"rank\":%d,\"ranks\":%d,\"communicator\":\"%x\"", rank, ranks, commId);
    return new JsonTrace(file, label, rank, capacity == 0 ? "" : origin + clock(), capacity);
  }

  /** Tells which clock the times are of, and what it said when it was which time since 1970. */
  private static String clock() {
    long nanos = System.nanoTime();
    Instant utc = Instant.EPOCH;
    for (long least = Long.MAX_VALUE, i = 0; i < 20; i++) { // a few, of which the quickest counts
      long before = System.nanoTime();
      Instant now = Instant.now();
      long took = System.nanoTime() - before;
      if (took < least) {
        least = took;
        nanos = before + took / 2;
        utc = now;
      }
    }
    Path timeSpace = Path.of("/proc/self/ns/time"); // before Linux 5.6 there is one for all
    try {
      return ErrorText.of(
          ",\"host\":\"%s\",\"clock\":\"%s %s\",\"clock_us\":%d,\"utc_us\":%d",
          Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
          Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip(),
          Files.isSymbolicLink(timeSpace) ? Files.readSymbolicLink(timeSpace).getFileName() : "",
          nanos / 1000,
          ChronoUnit.MICROS.between(Instant.EPOCH, utc));
    } catch (IOException e) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "of the clock: " + e, e);
    }
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    return ((JsonTrace) context).start(descriptor);
  }

  @Override
  public void stopEvent(Context context, long event) {
    ((JsonTrace) context).event(event).end = System.nanoTime();
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    if (state == EventState.PROXY_STEP_SEND_WAIT || state == EventState.PROXY_STEP_RECV_GPU_WAIT) {
      ((JsonTrace) context).event(event).bytes = argument;
    }
  }

  @Override
  public void finalizeContext(Context context) {
    ((JsonTrace) context).write();
  }
}
