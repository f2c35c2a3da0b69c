// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

/**
 * Runs the {@code init} of a plugin that is initialized once per process, however many
 * communicators begin. A failure is not a beginning: the next communicator tries again.
 */
final class InitOnce {
  private boolean done;

  /** Runs {@code init} unless it has succeeded before; several threads may call at once. */
  synchronized void run(Runnable init) {
    if (!done) {
      init.run();
      done = true;
    }
  }
}
