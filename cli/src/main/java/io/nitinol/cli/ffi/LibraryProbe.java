// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
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
   * @return whether it is there and has the function
   * @throws UncheckedIOException where this module may not look, since it has no native access; its
   *     message is a sentence for the user
   */
  public static boolean isPresent(String name, String symbol) {
    try (Arena arena = Arena.ofConfined()) {
      return SymbolLookup.libraryLookup(name, arena).find(symbol).isPresent();
    } catch (IllegalCallerException e) {
      String why = "Native access is denied, so nothing can look for " + name + ".";
      throw new UncheckedIOException(why, new IOException(why, e));
    } catch (IllegalArgumentException e) {
      return false; // how the lookup says that there is no such library
    }
  }
}
