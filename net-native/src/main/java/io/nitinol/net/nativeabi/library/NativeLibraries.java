// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.library;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.LibraryFinder;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.net.nativeabi.plugin.NativeOffer;
import io.nitinol.net.nativeabi.plugin.NativePlugins;
import io.nitinol.spi.NetException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Opens the libraries that {@code NCCL_NET_PLUGIN} names and makes plugins of what they export:
 * {@code ncclNetPlugin_v2} to {@code _v12} and {@code ncclCollNetPlugin_v4} to {@code _v12}. A
 * library with neither is closed again; any other stays open for the life of the process.
 */
public final class NativeLibraries implements LibraryFinder {
  /** NCCL keeps the names in fields of this size, with a zero at the end. */
  private static final int MAX_ENTRY = 254;

  private static final Map<Sought, FoundLibrary> OPEN = new HashMap<>();

  private record Sought(PluginKind kind, String entry) {}

  /** Makes a finder; all of them share what was opened. */
  public NativeLibraries() {}

  @Override
  public FoundLibrary find(PluginKind kind, String entry) {
    if (entry.length() > MAX_ENTRY) {
      return nothing(kind, entry, List.of("longer than " + MAX_ENTRY + " characters"));
    }
    Module module = NativeLibraries.class.getModule();
    if (!module.isNativeAccessEnabled()) {
      return nothing(
          kind,
          entry,
          List.of(
              "not looked for: this JVM gives no native access to native plugins (--enable-native-access="
                  + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
                  + ")"));
    }
    Sought sought = new Sought(kind, entry);
    synchronized (OPEN) {
      FoundLibrary known = OPEN.get(sought);
      if (known == null) {
        known = look(kind, entry);
        if (!known.plugins().isEmpty()) {
          OPEN.put(sought, known);
        }
      }
      return known;
    }
  }

  private static FoundLibrary look(PluginKind kind, String entry) {
    if (LibraryNames.isProgram(entry)) {
      try {
        return exports(SharedLibrary.program());
      } catch (IOException e) {
        return nothing(kind, entry, List.of(String.valueOf(e.getMessage())));
      }
    }
    List<String> failures = new ArrayList<>();
    for (String name : LibraryNames.of(kind, entry)) {
      try {
        return exports(SharedLibrary.open(name));
      } catch (IOException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    return nothing(kind, entry, failures);
  }

  private static FoundLibrary exports(SharedLibrary library) {
    List<NativeOffer> offers = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    if (!library.handlersPutBack().isEmpty()) {
      failures.add(
          library
              + " has set handlers for "
              + String.join(", ", library.handlersPutBack())
              + " while it was loaded; those that the JVM needs are back");
    }
    String file = library.name();
    boolean any = false;
    for (StructTable<?> table : NetTable.all().reversed()) {
      Optional<MemorySegment> symbol = library.symbol(table.symbol());
      if (symbol.isPresent()) {
        any = true;
        file = fileOf(symbol.get(), file);
        offer(table, symbol.get(), file, false, offers, failures);
      }
    }
    for (StructTable<?> table : CollNetTable.all().reversed()) {
      Optional<MemorySegment> symbol = library.symbol(table.symbol());
      if (symbol.isPresent()) {
        any = true;
        file = fileOf(symbol.get(), file);
        offer(table, symbol.get(), file, true, offers, failures);
      }
    }
    if (!any) {
      library.close();
      failures.add(
          library
              + " exports neither ncclNetPlugin_v"
              + NetTable.OLDEST
              + " to _v"
              + NetTable.NEWEST
              + " nor ncclCollNetPlugin_v"
              + CollNetTable.OLDEST
              + " to _v"
              + CollNetTable.NEWEST);
    }
    return new FoundLibrary(file, offers.stream().map(NativeLibraries::plugin).toList(), failures);
  }

  /**
   * Adds a struct, unless a newer one passes for the same version of the Java interface. The newest
   * one names the plugin, which is one whatever its older structs are called: NCCL takes the newest
   * that it knows.
   */
  private static void offer(
      StructTable<?> table,
      MemorySegment struct,
      String file,
      boolean collective,
      List<NativeOffer> offers,
      List<String> failures) {
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

  private static FoundLibrary.Plugin plugin(NativeOffer offer) {
    return new FoundLibrary.Plugin(
        offer.collective() ? PluginKind.COLLNET : PluginKind.NET,
        offer.javaVersion(),
        offer.name(),
        offer.symbol(),
        offer.provider(),
        offer.factory());
  }

  private static String fileOf(MemorySegment symbol, String otherwise) {
    String file = SharedLibrary.fileOf(symbol);
    return file == null || file.isEmpty() ? otherwise : file;
  }

  private static FoundLibrary nothing(PluginKind kind, String entry, List<String> failures) {
    return new FoundLibrary(
        entry.isEmpty() ? LibraryNames.standard(kind) : entry, List.of(), failures);
  }
}
