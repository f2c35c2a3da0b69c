// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Asks whoever provides a {@link LibraryFinder} for native libraries. */
final class LibraryLookup {
  private final @Nullable LibraryFinder finder;
  private final String missing;

  LibraryLookup() {
    LibraryFinder found = null;
    String why = "nothing here loads native plugins: no module provides a LibraryFinder";
    try {
      ClassLoader loader = LibraryLookup.class.getClassLoader();
      found = ServiceLoader.load(LibraryFinder.class, loader).findFirst().orElse(null);
    } catch (ServiceConfigurationError e) {
      why = "nothing here loads native plugins: " + Causes.describe(e);
    }
    finder = found;
    missing = why;
  }

  /** Returns what {@code entry} leads to. */
  FoundLibrary find(PluginKind kind, String entry) {
    if (finder == null) {
      return new FoundLibrary(entry, List.of(), List.of(missing));
    }
    try {
      return finder.find(kind, entry);
    } catch (RuntimeException | Error e) {
      // What cannot load native plugins must not keep Java ones from being found.
      Causes.rethrowIfFatal(e);
      return new FoundLibrary(
          entry, List.of(), List.of("looking for native plugins failed: " + Causes.describe(e)));
    }
  }
}
