// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.config.VariableTable;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds variables whose values are not understood. A communicator ignores them and warns in its
 * log, which is off unless {@code NCCL_DEBUG} is set; a command reports them itself.
 */
@AnyThread
public final class SettingsCheck {
  private SettingsCheck() {}

  /** Returns a sentence for each variable of Nitinol whose value is not understood. */
  public static List<String> mistakes(Settings settings) {
    List<String> found = new ArrayList<>();
    for (VariableCatalog catalog : VariableTable.installed().catalogs()) {
      for (Variable<?> variable : catalog.variables()) {
        String mistake = settings.mistake(variable);
        if (mistake != null) {
          found.add(mistake);
        }
      }
    }
    ModelChooser.check(settings, found::add);
    return found;
  }
}
