// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Functions of the C library. */
public final class ShmLibrary {
  private ShmLibrary() {}

  /**
   * Returns {@code void memcpy(void *to, const void *from, size_t bytes)}; its result is dropped.
   *
   * @return null where native access is not enabled for this module, so that nothing is printed on
   *     the application's standard error
   */
  public static @Nullable MethodHandle memcpy() {
    if (!ShmLibrary.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = linker.defaultLookup();
    return library
        .find("memcpy")
        .map(symbol ->
            linker.downcallHandle(
                symbol,
                FunctionDescriptor.ofVoid(
                    ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
                Linker.Option.critical(false)))
        .orElse(null);
  }
}
