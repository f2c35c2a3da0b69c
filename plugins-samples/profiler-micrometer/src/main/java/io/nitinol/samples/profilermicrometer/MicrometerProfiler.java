// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilermicrometer;

import io.micrometer.core.instrument.Metrics;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A profiler that counts in {@link Metrics#globalRegistry}. It asks for no events while that has no
 * registry in it.
 */
public final class MicrometerProfiler implements Profiler {
  private static final class Global {
    static final MeterSet METERS =
        new MeterSet(
            Metrics.globalRegistry,
            Settings.process().get(MicrometerVariables.HISTOGRAM),
            Settings.process().get(MicrometerVariables.NETWORK));
  }

  private final Supplier<MeterSet> meters;

  /** Creates the profiler; for ServiceLoader. It makes its meters with the first communicator. */
  public MicrometerProfiler() {
    this(() -> Global.METERS);
  }

  MicrometerProfiler(Supplier<MeterSet> meters) {
    this.meters = meters;
  }

  @Override
  public String name() {
    return "Micrometer";
  }

  @Override
  public Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    return new MicrometerContext(meters.get());
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    return ((MicrometerContext) context).start(descriptor);
  }

  @Override
  public void stopEvent(Context context, long event) {
    ((MicrometerContext) context).stop(event);
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    if (state == EventState.PROXY_STEP_SEND_WAIT || state == EventState.PROXY_STEP_RECV_GPU_WAIT) {
      ((MicrometerContext) context).message(event, argument);
    }
  }

  @Override
  public void finalizeContext(Context context) {
    ((MicrometerContext) context).end();
  }
}
