// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A profiler that hands each event to JDK Flight Recorder. It asks for those kinds of events only
 * that a recording of this process has switched on, and for none while there is no recording.
 */
public final class JfrProfiler implements Profiler {

  /** Creates the profiler; for ServiceLoader. */
  public JfrProfiler() {}

  @Override
  public String name() {
    return "JFR";
  }

  @Override
  public Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    String id = Long.toHexString(commId);
    JfrContext context = new JfrContext(commName == null ? id : commName + " (" + id + ")", rank);
    context.life.nodes = nodes;
    context.life.ranks = ranks;
    return context;
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    return ((JfrContext) context).start(descriptor);
  }

  @Override
  public void stopEvent(Context context, long event) {
    ((JfrContext) context).stop(event);
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    JfrEvent known = ((JfrContext) context).running(event);
    if (known instanceof MessageEvent message) {
      message.state(state, argument);
    }
  }

  @Override
  public void finalizeContext(Context context) {
    ((JfrContext) context).life.commit();
  }
}
