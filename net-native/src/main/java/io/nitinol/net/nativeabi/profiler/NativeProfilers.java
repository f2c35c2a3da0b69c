// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.ffi.ProfilerFunction;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.net.nativeabi.plugin.NativePlugin;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Makes profilers of the structs that libraries export. */
@AnyThread
public final class NativeProfilers {
  /** The version of the Java interface that all structs become. */
  private static final int JAVA_VERSION = 1;

  private static final Map<Long, NativeProfiler> KNOWN = new HashMap<>();

  private NativeProfilers() {}

  /**
   * Looks at an {@code ncclProfiler_vN}, without a call.
   *
   * @param table the struct's version
   * @param struct where the library has it
   * @param file the library's file, for messages
   * @throws io.nitinol.spi.NetException INTERNAL_ERROR when it has no name or no {@code init}
   */
  public static FoundLibrary.Plugin look(
      StructTable<ProfilerFunction> table, MemorySegment struct, String file) {
    NativeProfiler profiler;
    synchronized (KNOWN) {
      profiler = KNOWN.get(struct.address());
      if (profiler == null) {
        profiler = new NativeProfiler(NativePlugin.of(table, struct, file));
        KNOWN.put(struct.address(), profiler);
      }
    }
    NativeProfiler known = profiler; // one for the process: the struct's mask is the process's
    return new FoundLibrary.Plugin(
        PluginKind.PROFILER,
        JAVA_VERSION,
        known.name(),
        table.symbol(),
        NativeProfiler.class,
        () -> known);
  }
}
