// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds plugins that are no Java classes but native libraries. Core loads none itself: a module
 * that can provides this interface as a service, as {@code net-native} does.
 */
@AnyThread
public interface LibraryFinder {

  /**
   * Looks for the library that an entry of {@code NCCL_NET_PLUGIN} names, or of the variable for
   * another kind of plugin, as NCCL does. Never throws: a library that is missing or of no use is a
   * finding, too. A library is opened once, however often it is asked for.
   *
   * @param kind what is looked for: the names that are tried begin with {@code libnccl-} and its
   *     label. A library of a network is asked for all that it exports, any other for that kind
   * @param entry the entry, such as a path or {@code foo}; empty where the variable is not set
   * @return what was found, and what went wrong
   */
  FoundLibrary find(PluginKind kind, String entry);

  /**
   * Returns the finder of this program. Where no module provides one, or the one that does fails,
   * every search ends with the reason: Java plugins are found all the same.
   */
  static LibraryFinder ofProgram() {
    try {
      ClassLoader loader = LibraryFinder.class.getClassLoader();
      return ServiceLoader.load(LibraryFinder.class, loader)
          .findFirst()
          .map(LibraryFinder::guarded)
          .orElseGet(() ->
              failing("nothing here loads native plugins: no module provides a LibraryFinder"));
    } catch (ServiceConfigurationError e) {
      return failing("nothing here loads native plugins: " + PluginCall.describe(e));
    }
  }

  private static LibraryFinder guarded(LibraryFinder finder) {
    return (kind, entry) -> {
      try {
        return PluginWatch.during(
            () -> "the loading of " + (entry.isEmpty() ? "libnccl-" + kind.label() : entry),
            () -> finder.find(kind, entry));
      } catch (RuntimeException | Error e) {
        return failing("looking for native plugins failed: " + PluginCall.describe(e))
            .find(kind, entry);
      }
    };
  }

  private static LibraryFinder failing(String why) {
    return (kind, entry) -> new FoundLibrary(entry, List.of(), List.of(why));
  }
}
