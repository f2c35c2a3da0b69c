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
        ErrorText.of("\"rank\":%d,\"ranks\":%d,\"communicator\":\"%x\",", rank, ranks, commId);
    return new JsonTrace(file, label, rank, origin + clock(), capacity);
  }

  /** Tells which clock the times are of, and what it said when it was which time since 1970. */
  private static String clock() {
    try {
      Object timeSpace = Files.readSymbolicLink(Path.of("/proc/self/ns/time")).getFileName();
      return ErrorText.of(
          "\"host\":\"%s\",\"clock\":\"%s %s\",\"clock_us\":%d,\"utc_us\":%d",
          Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(),
          Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip(),
          timeSpace,
          System.nanoTime() / 1000,
          ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
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
