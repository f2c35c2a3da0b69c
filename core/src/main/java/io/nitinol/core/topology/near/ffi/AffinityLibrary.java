// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The functions of the C library that bind the calling thread to processors. */
public final class AffinityLibrary {
  /** Thread 0 is the calling one. */
  private static final int CALLER = 0;

  private final MethodHandle get;
  private final MethodHandle set;

  private AffinityLibrary(MethodHandle get, MethodHandle set) {
    this.get = get;
    this.set = set;
  }

  /**
   * Returns the functions.
   *
   * @return null where native access is not enabled for this module, or the C library has no such
   *     functions
   */
  public static @Nullable AffinityLibrary load() {
    if (!AffinityLibrary.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    MethodHandle get = function("sched_getaffinity");
    MethodHandle set = function("sched_setaffinity");
    return get == null || set == null ? null : new AffinityLibrary(get, set);
  }

  private static @Nullable MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor shape =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS);
    return linker
        .defaultLookup()
        .find(name)
        .map(symbol -> linker.downcallHandle(symbol, shape))
        .orElse(null);
  }

  /** {@code int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *mask)} of this thread. */
  public int get(MemorySegment mask) throws Throwable {
    return (int) get.invokeExact(CALLER, mask.byteSize(), mask);
  }

  /** {@code int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *mask)}, likewise. */
  public int set(MemorySegment mask) throws Throwable {
    return (int) set.invokeExact(CALLER, mask.byteSize(), mask);
  }
}
