// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

/**
 * Finds plugins that are no Java classes but native libraries. Core loads none itself: a module
 * that can provides this interface as a service.
 */
public interface LibraryFinder {

  /**
   * Looks for the library that an entry of {@code NCCL_NET_PLUGIN} names, as NCCL does. Never
   * throws: a library that is missing or of no use is a finding, too. A library is opened once,
   * however often it is asked for.
   *
   * @param entry the entry, such as a path or {@code foo}; empty where the variable is not set
   * @return what was found, and what went wrong
   */
  FoundLibrary find(String entry);
}
