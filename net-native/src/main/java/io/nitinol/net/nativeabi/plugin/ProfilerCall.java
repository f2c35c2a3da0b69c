// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.spi.net.NetProfiler;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Profilers as functions that plugins call; made once for each, and good for the process. */
final class ProfilerCall {
  private static final int SUCCESS = 0;
  private static final int INTERNAL_ERROR = 3;
  private static final Map<NetProfiler, MemorySegment> FUNCTIONS = new ConcurrentHashMap<>();
  private static final FunctionDescriptor CALL =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS);

  private ProfilerCall() {}

  /** Returns the address of {@code profiler} as a function; 0 if there is no profiler. */
  static long address(@Nullable NetProfiler profiler) {
    return profiler == null ? 0 : FUNCTIONS.computeIfAbsent(profiler, ProfilerCall::make).address();
  }

  private static MemorySegment make(NetProfiler profiler) {
    try {
      MethodHandle target =
          MethodHandles.lookup()
              .findStatic(
                  ProfilerCall.class,
                  "call",
                  MethodType.methodType(
                      int.class,
                      NetProfiler.class,
                      MemorySegment.class,
                      int.class,
                      long.class,
                      long.class,
                      MemorySegment.class))
              .bindTo(profiler);
      return Linker.nativeLinker().upcallStub(target, CALL, Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no method to be called back", e);
    }
  }

  /** Called from C, by any thread; what is thrown here would end the process. */
  @SuppressWarnings("unused") // by its name, in make()
  private static int call(
      NetProfiler profiler,
      MemorySegment event,
      int type,
      long parent,
      long pluginId,
      MemorySegment data) {
    try {
      MemorySegment handle =
          event.address() == 0 ? MemorySegment.NULL : event.reinterpret(Long.BYTES);
      boolean known = handle.address() != 0;
      long before = known && type != NetProfiler.START ? handle.get(JAVA_LONG, 0) : 0;
      long made =
          profiler.record(type, before, parent, pluginId, data.address() == 0 ? null : data);
      if (known && type == NetProfiler.START) {
        handle.set(JAVA_LONG, 0, made);
      }
      return SUCCESS;
    } catch (RuntimeException | Error e) {
      return INTERNAL_ERROR; // the plugin's to handle: there is no caller to throw to
    }
  }
}
