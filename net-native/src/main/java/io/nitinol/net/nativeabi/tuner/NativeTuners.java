// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.net.nativeabi.ffi.TunerFunction;
import io.nitinol.net.nativeabi.plugin.NativePlugin;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Makes tuners of the structs that libraries export. */
@AnyThread
public final class NativeTuners {
  /** The version of the Java interface that all structs become. */
  private static final int JAVA_VERSION = 1;

  private static final Map<Long, NativePlugin<TunerFunction>> KNOWN = new HashMap<>();

  private NativeTuners() {}

  /**
   * Looks at an {@code ncclTunerPlugin_vN}, without a call.
   *
   * @param table the struct's version
   * @param struct where the library has it
   * @param file the library's file, for messages
   * @throws NetException INTERNAL_ERROR when it has no name or no {@code init}
   */
  public static FoundLibrary.Plugin look(
      StructTable<TunerFunction> table, MemorySegment struct, String file) {
    NativePlugin<TunerFunction> plugin;
    synchronized (KNOWN) {
      plugin = KNOWN.get(struct.address());
      if (plugin == null) {
        plugin = NativePlugin.of(table, struct, file);
        KNOWN.put(struct.address(), plugin);
      }
    }
    NativePlugin<TunerFunction> known = plugin;
    return new FoundLibrary.Plugin(
        PluginKind.TUNER,
        JAVA_VERSION,
        known.name(),
        table.symbol(),
        NativeTuner.class,
        () -> new NativeTuner(known));
  }

  /**
   * Makes a tuner that says why it cannot be used: its library has one, but the struct is broken.
   *
   * @param symbol what the library exports it as
   * @param file the library's file
   * @param reason why not, human-readable
   */
  public static FoundLibrary.Plugin broken(String symbol, String file, String reason) {
    String name = file.substring(file.lastIndexOf('/') + 1);
    return new FoundLibrary.Plugin(
        PluginKind.TUNER,
        JAVA_VERSION,
        name,
        symbol,
        BrokenTuner.class,
        () -> new BrokenTuner(name, reason));
  }
}
