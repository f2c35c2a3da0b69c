// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
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
        keepSignals();
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

  /**
   * Libfabric may be linked with PSM and PSM2. When these libraries are loaded they take SIGSEGV,
   * which the JVM needs for itself, unless these variables of the environment are set. One that the
   * user has set stays as it is.
   */
  private static void keepSignals() {
    Optional<MemorySegment> function = Linker.nativeLinker().defaultLookup().find("setenv");
    if (function.isEmpty()) {
      return;
    }
    MethodHandle setenv =
        Linker.nativeLinker()
            .downcallHandle(
                function.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      for (String name : List.of("IPATH_NO_BACKTRACE", "HFI_NO_BACKTRACE")) {
        int ignored =
            (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom("1"), 0);
      }
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  static MemorySegment required(String function) {
    SymbolLookup library = LIBRARY;
    if (library == null) {
      throw new UnsatisfiedLinkError(function + ": " + ABSENCE);
    }
    return library.findOrThrow(function);
  }
}
