// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import java.lang.foreign.MemorySegment;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Hands events to another profiler while it is switched on, so that a rank can be timed with them
 * and without, a few operations each, in the same memory and by the same compiled code. Switched
 * off it wants no events. The framework asks it all the same, and watches connections for it; what
 * that costs, only ranks without any profiler can tell.
 */
public final class SwitchedProfiler implements Profiler {
  /** What {@code NCCL_PROFILER_PLUGIN} calls it. */
  static final String NAME = "SWITCHED";

  /** The property of the JVM that names the other profiler; without it there is none. */
  static final String OTHER = "nitinol.bench.profiler";

  private static volatile boolean isOn;

  /** The operations that have had events while it was on, and those while it was off. */
  private static final LongAdder HAD = new LongAdder();

  private static final LongAdder HAD_WHILE_OFF = new LongAdder();

  private final @Nullable Profiler other;

  /** The other profiler's context. */
  private record Switch(Context context) implements Context {
    @Override
    public int activationMask() {
      return isOn ? context.activationMask() : 0;
    }

    @Override
    public void givenUp(long event) {
      context.givenUp(event);
    }

    @Override
    public int reportMask() {
      return isOn ? context.reportMask() : 0;
    }

    @Override
    public void report(ProfilerReport report) {
      context.report(report);
    }
  }

  /** Creates the profiler; for ServiceLoader. */
  public SwitchedProfiler() {
    String name = System.getProperty(OTHER);
    Profiler found = null;
    if (name != null) {
      for (ServiceLoader.Provider<Profiler> each :
          ServiceLoader.load(Profiler.class).stream().toList()) {
        if (each.type() != SwitchedProfiler.class && each.get().name().equals(name)) {
          found = each.get();
        }
      }
      if (found == null) {
        throw new IllegalStateException(
            "the property " + OTHER + " is " + name + ", and there is no such profiler");
      }
    }
    other = found;
  }

  /** Switches it on or off for the calls that come. */
  static void set(boolean on) {
    isOn = on;
  }

  /** Returns how many operations have had events while it was on, and while it was off. */
  static String takeCounts() {
    return HAD.sumThenReset() + " " + HAD_WHILE_OFF.sumThenReset();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    return other == null
        ? () -> 0
        : new Switch(other.init(commId, commName, nodes, ranks, rank, logger));
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    if (descriptor.type() == EventType.COLL) {
      (isOn ? HAD : HAD_WHILE_OFF).increment();
    }
    return other().startEvent(its(context), descriptor);
  }

  @Override
  public void stopEvent(Context context, long event) {
    other().stopEvent(its(context), event);
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    other().recordEventState(its(context), event, state, argument, data);
  }

  @Override
  public void finalizeContext(Context context) {
    if (other != null) {
      other.finalizeContext(its(context));
    }
  }

  private Profiler other() {
    if (other == null) {
      throw new IllegalStateException("an event, of which none was asked for");
    }
    return other;
  }

  private static Context its(Context context) {
    return ((Switch) context).context();
  }
}
