// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.setup.EngineDump;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * Reports what all communicators of this process do, in human-readable lines, for the question why
 * nothing moves. A program may ask for the text, or have the process write it on a signal. Reading
 * the state takes no lock and needs no other thread, so it works while everything is stuck; what
 * moves meanwhile may be reported half old, half new.
 */
@AnyThread
public final class StateDump {
  private StateDump() {}

  /**
   * Makes the process write the state to standard error on the signal of {@code
   * NITINOL_DUMP_SIGNAL}, from now on and for good. A process that cannot have that signal goes on
   * without, and warns. A communicator does this for itself where the variable is set: a library
   * takes no signals uninvited.
   *
   * @param settings where the variable is read
   * @param fallback the signal, {@code USR1} or {@code USR2}, where the variable is not set
   * @param logger where the warning goes
   */
  public static void onSignal(Settings settings, String fallback, DebugLogger logger) {
    EngineDump.onSignal(settings, fallback, logger);
  }

  /** Returns the state of all communicators of this process that are not closed, in lines. */
  public static String all() {
    return EngineDump.all();
  }
}
