// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.util.List;

/**
 * The threads and connections that could not be ended when an engine was closed. Where anything is
 * left, the memory that the engine's connections and operations use may still be written to.
 *
 * @param threads names of the threads that are still inside the engine or its network plugin, or
 *     that may still be using its buffers for another rank of this process
 * @param errors what closing connections threw; those connections may be open still
 */
public record Unclosed(List<String> threads, List<Throwable> errors) {

  /** Copies the lists. */
  public Unclosed {
    threads = List.copyOf(threads);
    errors = List.copyOf(errors);
  }

  /** Returns whether nothing is left, so that all memory may be freed. */
  public boolean isNone() {
    return threads.isEmpty() && errors.isEmpty();
  }
}
