// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The library {@code libfabric.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libfabric {
  private Libfabric() {}

  /** The name by which the library is asked for; libfabric 2 has it too. */
  public static final String NAME = "libfabric.so.1";

  private static final List<String> FUNCTIONS =
      List.of("fi_getinfo", "fi_freeinfo", "fi_dupinfo", "fi_version", "fi_strerror", "fi_fabric");

  private static final @Nullable SymbolLookup LIBRARY;
  private static final @Nullable String ABSENCE;

  static {
    SymbolLookup library = null;
    String absence = null;
    if (!Libfabric.class.getModule().isNativeAccessEnabled()) {
      // Asked before any restricted call, so that nothing is printed on the application's stderr.
      absence =
          "native access is not enabled for "
              + (Libfabric.class.getModule().isNamed()
                  ? "io.nitinol.samples.libfabric"
                  : "ALL-UNNAMED")
              + " (java --enable-native-access)";
    } else {
      try {
        library = SymbolLookup.libraryLookup(NAME, Arena.global());
        for (String function : FUNCTIONS) {
          if (library.find(function).isEmpty()) {
            absence = NAME + " has no function " + function;
            break;
          }
        }
      } catch (IllegalArgumentException e) {
        absence = NAME + " cannot be loaded (Debian: libfabric1, RHEL: libfabric)";
      }
    }
    LIBRARY = absence == null ? library : null;
    ABSENCE = absence;
  }

  /** Returns why no function may be called, or null where all may. */
  public static @Nullable String absence() {
    return ABSENCE;
  }

  static MemorySegment required(String function) {
    SymbolLookup library = LIBRARY;
    if (library == null) {
      throw new UnsatisfiedLinkError(function + ": " + ABSENCE);
    }
    return library.findOrThrow(function);
  }
}
