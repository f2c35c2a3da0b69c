// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.library;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.LibraryFinder;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens the libraries that {@code NCCL_NET_PLUGIN} and {@code NCCL_TUNER_PLUGIN} name and makes
 * plugins of what they export: {@code ncclNetPlugin_v2} to {@code _v12}, {@code
 * ncclCollNetPlugin_v4} to {@code _v12} and {@code ncclTunerPlugin_v2} to {@code _v6}. A library
 * with nothing of that is closed again; any other stays open for the life of the process.
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
              ErrorText.of(
                  "not looked for: this JVM gives no native access to native plugins "
                      + "(--enable-native-access=%s)",
                  module.isNamed() ? module.getName() : "ALL-UNNAMED")));
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
        return Exports.of(kind, SharedLibrary.program());
      } catch (IOException e) {
        return nothing(kind, entry, List.of(String.valueOf(e.getMessage())));
      }
    }
    List<String> failures = new ArrayList<>();
    for (String name : LibraryNames.of(kind, entry)) {
      try {
        return Exports.of(kind, SharedLibrary.open(name));
      } catch (IOException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    return nothing(kind, entry, failures);
  }

  private static FoundLibrary nothing(PluginKind kind, String entry, List<String> failures) {
    return new FoundLibrary(
        entry.isEmpty() ? LibraryNames.standard(kind) : entry, List.of(), failures);
  }
}
