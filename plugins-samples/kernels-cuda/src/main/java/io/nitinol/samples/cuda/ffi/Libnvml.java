// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The library {@code libnvidia-ml.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libnvml {
  private Libnvml() {}

  /** The name by which the library is asked for. */
  public static final String NAME = "libnvidia-ml.so.1";

  private static final List<String> FUNCTIONS =
      List.of(
          "nvmlInit_v2",
          "nvmlDeviceGetHandleByPciBusId_v2",
          "nvmlDeviceGetP2PStatus",
          "nvmlDeviceGetNvLinkState",
          "nvmlDeviceGetNvLinkCapability",
          "nvmlDeviceGetNvLinkRemotePciInfo_v2",
          "nvmlDeviceGetFieldValues",
          "nvmlDeviceGetIndex");

  private static final @Nullable SymbolLookup LIBRARY;
  private static final @Nullable String ABSENCE;

  static {
    SymbolLookup library = null;
    String absence = null;
    if (!Libnvml.class.getModule().isNativeAccessEnabled()) {
      absence = "native access is not enabled";
    } else {
      try {
        library = SymbolLookup.libraryLookup(NAME, Arena.global());
        for (String function : FUNCTIONS) {
          if (library.find(function).isEmpty()) {
            absence = NAME + " has no function " + function;
          }
        }
      } catch (IllegalArgumentException e) {
        absence = NAME + " cannot be loaded";
      }
    }
    LIBRARY = absence == null ? library : null;
    ABSENCE = absence;
  }

  /** Returns why no function may be called, or null where all may. */
  public static @Nullable String absence() {
    return ABSENCE;
  }

  /** Returns a function; where it is missing, one that says so when it is called. */
  static MethodHandle handle(String function, FunctionDescriptor descriptor) {
    SymbolLookup library = LIBRARY;
    return library == null
        ? Libcuda.missing(function + ": " + ABSENCE, descriptor)
        : Linker.nativeLinker().downcallHandle(library.findOrThrow(function), descriptor);
  }
}
