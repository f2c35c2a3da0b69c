// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.VariableTable;
import io.nitinol.core.plugin.MisspeltVariables;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Set;
import java.util.TreeSet;

/**
 * The variables that a communicator's own settings cannot change, since plugins are found and
 * initialized once for the process and read the process's settings.
 */
@AnyThread
final class ProcessWideVariables {
  private ProcessWideVariables() {}

  /** Returns the plugins of a communicator; warns of settings that cannot reach them. */
  static PluginCatalog plugins(SetupConfig config) {
    PluginCatalog given = config.plugins();
    PluginCatalog plugins = given != null ? given : PluginCatalog.process();
    MisspeltVariables.tell(plugins.variables());
    Settings process = Settings.process();
    if (config.settings() != process) {
      Set<String> vain = inVain(config.settings(), process, plugins, given != null);
      if (!vain.isEmpty()) {
        config
            .logger()
            .warn(
                "Communicator",
                ErrorText.of(
                    "plugins belong to the process and do not read the settings of this"
                        + " communicator, which differ from the process's in %s; set in the"
                        + " environment or the configuration files they would count",
                    String.join(", ", vain)));
      }
    }
    return plugins;
  }

  /** Returns the variables that {@code given} sets for plugins, other than {@code process}. */
  static Set<String> inVain(
      Settings given, Settings process, PluginCatalog plugins, boolean ownPlugins) {
    Set<String> names = new TreeSet<>();
    if (!ownPlugins) {
      add(CoreVariables.NET_PLUGIN, given, process, names);
      add(CoreVariables.PLUGIN_PATH, given, process, names);
    }
    add(InterfaceSearch.IFNAME, given, process, names);
    add(InterfaceSearch.FAMILY, given, process, names);
    for (VariableCatalog catalog : VariableTable.installed().with(plugins.variables()).catalogs()) {
      if (!(catalog instanceof CoreVariables)) {
        catalog.variables().forEach(variable -> add(variable, given, process, names));
      }
    }
    return names;
  }

  private static void add(
      Variable<?> variable, Settings given, Settings process, Set<String> names) {
    String wanted = given.raw(variable.name());
    if (wanted != null && !wanted.isBlank() && !wanted.equals(process.raw(variable.name()))) {
      names.add(variable.name());
    }
  }
}
