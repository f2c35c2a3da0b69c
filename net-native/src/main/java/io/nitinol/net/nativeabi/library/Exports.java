// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.library;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.net.nativeabi.ffi.ProfilerFunction;
import io.nitinol.net.nativeabi.ffi.ProfilerTable;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.net.nativeabi.ffi.TunerFunction;
import io.nitinol.net.nativeabi.ffi.TunerTable;
import io.nitinol.net.nativeabi.plugin.NativeOffer;
import io.nitinol.net.nativeabi.plugin.NativePlugins;
import io.nitinol.net.nativeabi.profiler.NativeProfilers;
import io.nitinol.net.nativeabi.tuner.NativeTuners;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The plugin structs of NCCL's that one library exports, newest first, and those of them that are
 * broken.
 */
final class Exports {
  private final SharedLibrary library;
  private final List<NativeOffer> offers = new ArrayList<>();
  private final List<FoundLibrary.Plugin> others = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private String file;
  private boolean any;

  private Exports(SharedLibrary library) {
    this.library = library;
    this.file = library.name();
  }

  /**
   * Looks at a library, and closes it where it exports nothing of the kind.
   *
   * @param kind what it was opened for; from the library of a network everything is taken
   */
  static FoundLibrary of(PluginKind kind, SharedLibrary library) {
    Exports exports = new Exports(library);
    if (!library.handlersPutBack().isEmpty()) {
      exports.failures.add(
          ErrorText.of(
              "%s has set handlers for %s while it was loaded; those that the JVM needs are back",
              library, String.join(", ", library.handlersPutBack())));
    }
    if (kind == PluginKind.NET) {
      exports.networks();
    }
    if (kind == PluginKind.NET || kind == PluginKind.TUNER) {
      exports.tuner();
    }
    if (kind == PluginKind.NET || kind == PluginKind.PROFILER) {
      exports.profiler();
    }
    if (!exports.any) {
      library.close();
      exports.failures.add(library + " exports " + missing(kind));
    }
    List<FoundLibrary.Plugin> plugins =
        new ArrayList<>(exports.offers.stream().map(Exports::plugin).toList());
    plugins.addAll(exports.others);
    return new FoundLibrary(exports.file, plugins, exports.failures);
  }

  private static String missing(PluginKind kind) {
    return kind == PluginKind.TUNER
        ? "no ncclTunerPlugin_v" + TunerTable.OLDEST + " to _v" + TunerTable.NEWEST
        : kind == PluginKind.PROFILER
            ? "no ncclProfiler_v" + ProfilerTable.OLDEST + " to _v" + ProfilerTable.NEWEST
            : ErrorText.of(
                "neither ncclNetPlugin_v%s to _v%s nor ncclCollNetPlugin_v%s to _v%s",
                NetTable.OLDEST, NetTable.NEWEST, CollNetTable.OLDEST, CollNetTable.NEWEST);
  }

  private void networks() {
    for (StructTable<?> table : NetTable.all().reversed()) {
      symbol(table).ifPresent(struct -> offer(table, struct, false));
    }
    for (StructTable<?> table : CollNetTable.all().reversed()) {
      symbol(table).ifPresent(struct -> offer(table, struct, true));
    }
  }

  private Optional<MemorySegment> symbol(StructTable<?> table) {
    Optional<MemorySegment> symbol = library.symbol(table.symbol());
    if (symbol.isPresent()) {
      any = true;
      String from = SharedLibrary.fileOf(symbol.get());
      file = from == null || from.isEmpty() ? file : from;
    }
    return symbol;
  }

  /**
   * Adds a struct, unless a newer one passes for the same version of the Java interface. The newest
   * one names the plugin, which is one whatever its older structs are called: NCCL takes the newest
   * that it knows.
   */
  private void offer(StructTable<?> table, MemorySegment struct, boolean collective) {
    try {
      String name =
          offers.stream()
              .filter(newer -> newer.collective() == collective)
              .findFirst()
              .map(NativeOffer::name)
              .orElse(null);
      NativeOffer offer =
          collective
              ? NativePlugins.collNet(table.version(), struct, file, name)
              : NativePlugins.net(table.version(), struct, file, name);
      boolean taken =
          offers.stream()
              .anyMatch(other ->
                  other.collective() == collective && other.javaVersion() == offer.javaVersion());
      if (!taken) {
        offers.add(offer);
      }
    } catch (NetException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Adds the newest tuner that can be used, as NCCL takes the newest that it knows, or one that
   * says why none can.
   */
  private void tuner() {
    FoundLibrary.Plugin broken = null;
    for (StructTable<TunerFunction> table : TunerTable.all().reversed()) {
      Optional<MemorySegment> struct = symbol(table);
      if (struct.isPresent()) {
        try {
          others.add(NativeTuners.look(table, struct.get(), file));
          return;
        } catch (NetException e) {
          String reason = String.valueOf(e.getMessage());
          failures.add(reason);
          broken = broken == null ? NativeTuners.broken(table.symbol(), file, reason) : broken;
        }
      }
    }
    if (broken != null) {
      others.add(broken);
    }
  }

  /** Adds the newest profiler that can be used, as NCCL takes the newest that it knows. */
  private void profiler() {
    for (StructTable<ProfilerFunction> table : ProfilerTable.all().reversed()) {
      Optional<MemorySegment> struct = symbol(table);
      if (struct.isPresent()) {
        try {
          others.add(NativeProfilers.look(table, struct.get(), file));
          return;
        } catch (NetException e) {
          failures.add(String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private static FoundLibrary.Plugin plugin(NativeOffer offer) {
    return new FoundLibrary.Plugin(
        offer.collective() ? PluginKind.COLLNET : PluginKind.NET,
        offer.javaVersion(),
        offer.name(),
        offer.symbol(),
        offer.provider(),
        offer.factory());
  }
}
