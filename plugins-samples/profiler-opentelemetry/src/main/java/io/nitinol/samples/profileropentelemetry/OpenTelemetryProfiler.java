// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A profiler that tells {@link GlobalOpenTelemetry}. It asks for no events while the application
 * has registered no SDK there, and never makes OpenTelemetry settle on none.
 */
public final class OpenTelemetryProfiler implements Profiler {
  private static volatile @Nullable Instruments global;

  private final Supplier<@Nullable Instruments> instruments;

  /** Creates the profiler; for ServiceLoader. It reads variables when a communicator is made. */
  public OpenTelemetryProfiler() {
    this(OpenTelemetryProfiler::global);
  }

  OpenTelemetryProfiler(Supplier<@Nullable Instruments> instruments) {
    this.instruments = instruments;
  }

  /** Returns the instruments of the application's SDK; null while there is none. */
  private static @Nullable Instruments global() {
    Instruments known = global;
    if (known == null && GlobalOpenTelemetry.isSet()) {
      // Two threads make the same: an SDK has each instrument once.
      known = new Instruments(GlobalOpenTelemetry.getOrNoop());
      global = known;
    }
    return known;
  }

  @Override
  public String name() {
    return "OpenTelemetry";
  }

  @Override
  public Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    Settings settings = Settings.process();
    return new OpenTelemetryContext(
        instruments,
        settings.get(OpenTelemetryVariables.SPANS),
        settings.get(OpenTelemetryVariables.NETWORK),
        commName == null ? Long.toHexString(commId) : commName,
        ranks);
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    return ((OpenTelemetryContext) context).start(descriptor);
  }

  @Override
  public void stopEvent(Context context, long event) {
    ((OpenTelemetryContext) context).stop(event);
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    if (state == EventState.PROXY_STEP_SEND_WAIT || state == EventState.PROXY_STEP_RECV_GPU_WAIT) {
      ((OpenTelemetryContext) context).message(event, argument);
    }
  }

  @Override
  public void finalizeContext(Context context) {
    ((OpenTelemetryContext) context).end();
  }
}
