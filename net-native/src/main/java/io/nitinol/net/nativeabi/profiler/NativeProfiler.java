// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.nativeabi.ffi.ProfilerFunction;
import io.nitinol.net.nativeabi.plugin.GuardedMemory;
import io.nitinol.net.nativeabi.plugin.NativePlugin;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A native profiler. An event is its pointer. A call that returns an error throws, which switches
 * the profiler off; NCCL takes no note of it.
 */
final class NativeProfiler implements Profiler {
  private static final VarHandle INT = JAVA_INT.varHandle();
  private static final List<ProfilerFunction> EVENTS =
      List.of(
          ProfilerFunction.START_EVENT,
          ProfilerFunction.STOP_EVENT,
          ProfilerFunction.RECORD_EVENT_STATE,
          ProfilerFunction.FINALIZE);

  private final NativePlugin<ProfilerFunction> plugin;
  private final int version;
  private final EventWriter writer;

  /**
   * NCCL's {@code ncclProfilerEventMask}, which the plugin sets at its first {@code init} and may
   * change at any time.
   */
  private final GuardedMemory maskMemory = new GuardedMemory(Arena.global(), JAVA_INT.byteSize());

  private final MemorySegment mask = maskMemory.bytes();

  private MemorySegment startEvent = MemorySegment.NULL;
  private MemorySegment stopEvent = MemorySegment.NULL;
  private MemorySegment recordEventState = MemorySegment.NULL;

  NativeProfiler(NativePlugin<ProfilerFunction> plugin) {
    this.plugin = plugin;
    this.version = plugin.table().version();
    this.writer = new EventWriter(version);
  }

  /** One communicator. */
  private static final class Own implements Context {
    final NativeProfiler profiler;
    final Arena arena;
    final long address;
    final long name;
    final long commId;

    Own(NativeProfiler profiler, Arena arena, long address, long name, long commId) {
      this.profiler = profiler;
      this.arena = arena;
      this.address = address;
      this.name = name;
      this.commId = commId;
    }

    @Override
    public int activationMask() {
      return profiler.wanted();
    }
  }

  private int wanted() {
    return (int) INT.getOpaque(mask, 0L) & EventWriter.kinds(version);
  }

  @Override
  public String name() {
    return plugin.name();
  }

  @Override
  public synchronized Context init(
      long commId, @Nullable String commName, int nodes, int ranks, int rank, DebugLogger logger) {
    Arena arena = Arena.ofShared(); // stays where init fails: the profiler may go on writing to it
    GuardedMemory memory = new GuardedMemory(arena, JAVA_LONG.byteSize());
    long name = commName == null ? 0 : arena.allocateFrom(commName).address();
    long log = plugin.log().address();
    plugin.start(
        logger, init -> init(init, memory.address(), commId, name, nodes, ranks, rank, log));
    requireIntact(memory, "the context");
    requireIntact(maskMemory, "the mask");
    plugin.requireCode(EVENTS);
    startEvent = plugin.function(ProfilerFunction.START_EVENT);
    stopEvent = plugin.function(ProfilerFunction.STOP_EVENT);
    recordEventState = plugin.function(ProfilerFunction.RECORD_EVENT_STATE);
    return new Own(this, arena, memory.bytes().get(JAVA_LONG, 0), name, commId);
  }

  private void requireIntact(GuardedMemory memory, String what) {
    String damage = memory.damage();
    if (damage != null) {
      throw plugin.defect(ProfilerFunction.INIT, "", damage + " bytes of " + what);
    }
  }

  private int init(
      MemorySegment function,
      long context,
      long commId,
      long name,
      int nodes,
      int ranks,
      int rank,
      long log) {
    return switch (version) {
      case 1, 2, 3 -> ProfilerCalls.pp(function, context, mask.address());
      case 4 ->
          ProfilerCalls.pppliiip(
              function, context, mask.address(), name, commId, nodes, ranks, rank, log);
      default ->
          ProfilerCalls.plppiiip(
              function, context, commId, mask.address(), name, nodes, ranks, rank, log);
    };
  }

  @Override
  public long startEvent(Context context, EventDescriptor descriptor) {
    if ((descriptor.type().mask() & EventWriter.kinds(version)) == 0) {
      return 0;
    }
    Own own = (Own) context;
    EventWriter.Room room = EventWriter.room();
    writer.write(room, descriptor, own.name, own.commId);
    room.clearHandle();
    int result =
        ProfilerCalls.ppp(startEvent, own.address, room.handleAddress(), room.descriptorAddress());
    String damage = room.damage();
    if (damage != null) {
      throw plugin.defect(
          ProfilerFunction.START_EVENT,
          " of " + descriptor.type(),
          damage + " bytes of the event's handle");
    }
    if (result != 0) {
      throw plugin.failure(result, ProfilerFunction.START_EVENT, " of " + descriptor.type());
    }
    return room.handle();
  }

  @Override
  public void stopEvent(Context context, long event) {
    plugin.check(ProfilerCalls.p(stopEvent, event), ProfilerFunction.STOP_EVENT, "");
  }

  @Override
  public void recordEventState(
      Context context, long event, EventState state, long argument, @Nullable MemorySegment data) {
    if (!EventWriter.has(version, state)) {
      return;
    }
    long told = EventWriter.argument(version, state, argument, data);
    EventWriter.Room room = EventWriter.room();
    int result = ProfilerCalls.pip(recordEventState, event, state.code(), room.arguments(told));
    if (result != 0) {
      throw plugin.failure(result, ProfilerFunction.RECORD_EVENT_STATE, " to " + state);
    }
  }

  @Override
  public synchronized void finalizeContext(Context context) {
    Own own = (Own) context;
    if (own.address != 0) { // as in NCCL
      int result = ProfilerCalls.p(plugin.function(ProfilerFunction.FINALIZE), own.address);
      plugin.check(result, ProfilerFunction.FINALIZE, "");
    }
    own.arena.close();
  }
}
