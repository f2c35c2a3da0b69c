// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/**
 * Finds plugins that are no Java classes but native libraries. Core loads none itself: a module
 * that can provides this interface as a service.
 */
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
}
