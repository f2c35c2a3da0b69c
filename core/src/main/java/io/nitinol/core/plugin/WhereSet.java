// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;

/** What messages call a variable whose value they complain about: with the place it is set in. */
final class WhereSet {
  private WhereSet() {}

  /** Returns the variable's name and where it is set. */
  static String name(Settings settings, Variable<?> variable) {
    return variable + place(settings, variable);
  }

  /** Returns the variable's name, its value and where it is set. */
  static String value(Settings settings, Variable<?> variable) {
    return variable + "=" + settings.get(variable) + place(settings, variable);
  }

  private static String place(Settings settings, Variable<?> variable) {
    return " (set in " + settings.source(variable) + ")";
  }
}
