// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.VariableTable;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what variables ask for and cannot be had, as far as that shows before ranks are started:
 * values that are not understood, and names of what is not there. A communicator ignores most of
 * them and warns in its log, which is off unless {@code NCCL_DEBUG} is set; a command reports them
 * itself. What shows only later is told by {@link UnmetRequest}.
 */
@AnyThread
public final class SettingsCheck {
  private SettingsCheck() {}

  /**
   * Returns a sentence for each variable of Nitinol whose value is not understood or asks for what
   * is not there, and for each line of a configuration file that is not understood.
   */
  public static List<String> mistakes(Settings settings) {
    List<String> found = new ArrayList<>();
    for (VariableCatalog catalog : VariableTable.installed().catalogs()) {
      for (Variable<?> variable : catalog.variables()) {
        String mistake = settings.mistake(variable);
        if (mistake != null) {
          found.add(mistake);
        }
      }
      found.addAll(catalog.unmet(settings));
    }
    found.addAll(settings.fileMistakes());
    ModelChooser.check(settings, found::add);
    found.addAll(Log.mistakes(settings));
    return found;
  }

  /**
   * Returns why no communicator may be made with these settings and no command may start ranks: a
   * value of a variable that {@link UnmetRequest} refuses is not understood. Null where there is no
   * such reason.
   */
  public static @Nullable String refusal(Settings settings) {
    return UnmetRequest.isRefused(settings, CoreVariables.CONF_FILE)
        ? settings.mistake(CoreVariables.CONF_FILE)
        : null;
  }
}
