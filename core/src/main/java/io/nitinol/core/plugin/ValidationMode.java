// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;

/** What {@code NITINOL_VALIDATE} asks for; the constants are in the order of its numbers. */
public enum ValidationMode {
  /** Nothing is checked and no decorator exists. */
  OFF,
  /** What breaks a rule is written to the log; the call goes on as without checks. */
  REPORT,
  /**
   * It is written to the log, and the call fails: a mistake of the caller with INVALID_USAGE before
   * the plugin is called, one of the plugin with INTERNAL_ERROR afterwards.
   */
  FAIL;

  private static final ValidationMode[] VALUES = values();

  /** Returns what {@code settings} ask for. */
  public static ValidationMode of(Settings settings) {
    return VALUES[settings.get(CoreVariables.VALIDATE)];
  }
}
