// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjson;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.HostClock;
import java.lang.foreign.MemorySegment;
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
    return begin(Settings.process(), commId, commName, ranks, rank);
  }

  /** Begins a trace, if the variables ask for one. */
  static Context begin(Settings settings, long id, @Nullable String name, int ranks, int rank) {
    String prefix = settings.get(JsonVariables.FILE);
    if (prefix.isEmpty()) {
      return () -> 0; // asks for no events
    }
    String job = name == null ? "" : " in " + name;
    String label = ErrorText.of("rank %d of %d%s", rank, ranks, job);
    String clock = HostClock.now().json();
    String origin =
        ErrorText.of("\"rank\":%d,\"ranks\":%d,\"communicator\":\"%x\",%s", rank, ranks, id, clock);
    JsonTraceText text = new JsonTraceText(rank, label, origin);
    String file = ErrorText.of("%s-%x-%d.json", prefix, id, rank);
    return new JsonTrace(file, text, settings.get(JsonVariables.EVENTS));
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
    if (context instanceof JsonTrace trace) {
      trace.write();
    }
  }
}
