// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions that the host passes by their address, and that Java passes to the host. */
public final class HostFunctions {
  private static final MethodHandle LOG =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.ofVoid(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(5));

  private static final MethodHandle PROFILE =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));

  private static final MemorySegment FORMAT = Arena.global().allocateFrom("%s");

  private HostFunctions() {}

  /**
   * Calls an {@code ncclDebugLogger_t}.
   *
   * @param file a C string that lives as long as the process
   * @param text a C string, which is no format
   */
  public static void log(
      MemorySegment function,
      int level,
      long flags,
      MemorySegment file,
      int line,
      MemorySegment text) {
    try {
      LOG.invokeExact(function, level, flags, file, line, FORMAT, text);
    } catch (Throwable e) {
      throw new AssertionError("the host's logger cannot be called", e);
    }
  }

  /** Calls an {@code ncclProfilerCallback_t}; {@code event} is a pointer in and out. */
  public static int profile(
      MemorySegment function,
      MemorySegment event,
      int type,
      long parent,
      long pluginId,
      MemorySegment data) {
    try {
      return (int) PROFILE.invokeExact(function, event, type, parent, pluginId, data);
    } catch (Throwable e) {
      throw new AssertionError("the host's profiler cannot be called", e);
    }
  }

  /** Returns a C function that calls {@code target}; it lives as long as the process. */
  public static MemorySegment functionOf(MethodHandle target, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().upcallStub(target, descriptor, Arena.global());
  }
}
