// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.library;

import io.nitinol.core.plugin.PluginKind;
import java.util.List;

/**
 * What NCCL (2.27 and later) makes of an entry of {@code NCCL_NET_PLUGIN}, and of the value of
 * {@code NCCL_TUNER_PLUGIN} and the like: {@code openPluginLib}.
 */
final class LibraryNames {
  /** The entry that stands for the program itself. */
  private static final String STATIC = "STATIC_PLUGIN";

  private LibraryNames() {}

  /** Returns whether the plugin is to be looked for among the symbols of the program itself. */
  static boolean isProgram(String entry) {
    return entry.equalsIgnoreCase(STATIC);
  }

  /** Returns the library that is tried where the variable is not set: {@code libnccl-net.so}. */
  static String standard(PluginKind kind) {
    return prefix(kind) + ".so";
  }

  /**
   * Returns the names to try, in order: the entry as it is, then the library that it is short for.
   * What is a path or the whole name of a library is not short for another.
   */
  static List<String> of(PluginKind kind, String entry) {
    if (entry.isEmpty()) {
      return List.of(standard(kind));
    }
    boolean whole = entry.contains("/") || (entry.startsWith("lib") && entry.endsWith(".so"));
    return whole ? List.of(entry) : List.of(entry, prefix(kind) + "-" + entry + ".so");
  }

  private static String prefix(PluginKind kind) {
    return "libnccl-" + kind.label();
  }
}
