// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/** Tells whether the dynamic loader finds a library. */
public final class LibraryProbe {
  private LibraryProbe() {}

  /**
   * Loads a library and lets go of it again.
   *
   * @param name the file name, such as {@code libibverbs.so.1}, as the loader looks it up
   * @param symbol a function that it must have
   */
  public static boolean isPresent(String name, String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      return SymbolLookup.libraryLookup(name, arena).find(symbol).isPresent();
    } catch (IllegalArgumentException e) {
      return false; // how the lookup says that there is no such library
    }
  }
}
