// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.MisspeltNames;
import io.nitinol.core.config.VariableTable;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.VariableCatalog;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Warns once in a process of its variables that look misspelt, such as {@code NITINOL_TIMEUOT}. It
 * waits until plugins have been looked for, since a plugin from a jar of its own declares variables
 * that ServiceLoader does not find from outside: {@code NITINOL_OFI_CONNECT_MSEC} is no misspelt
 * {@code NITINOL_IB_CONNECT_MSEC} where the plugin for libfabric is.
 */
@AnyThread
public final class MisspeltVariables {
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  /** What plugins declare that were found for a kit; written before {@link #tell()}. */
  private static volatile List<VariableCatalog> noted = List.of();

  private MisspeltVariables() {}

  /**
   * Notes what plugins declare, and reads no settings: a kit watches whether its plugin reads them
   * too early.
   */
  static void note(List<VariableCatalog> found) {
    noted = List.copyOf(found);
  }

  /** Warns in a process that launches ranks, or that has looked for plugins for a kit. */
  public static void tell() {
    tell(noted);
  }

  /**
   * Warns in a process that has looked for plugins.
   *
   * @param found what those plugins declare
   */
  public static void tell(List<VariableCatalog> found) {
    if (TOLD.compareAndSet(false, true)) {
      Settings settings = Settings.process();
      Log.process().reportMisspelt(settings, table(settings, found));
    }
  }

  /**
   * Returns what is declared. Plugins at the paths in {@code settings} are opened only where a name
   * looks misspelt without them, and closed again.
   */
  static VariableTable table(Settings settings, List<VariableCatalog> found) {
    VariableTable table = VariableTable.installed().with(found);
    return MisspeltNames.in(settings, table).isEmpty() ? table : table.with(atPaths(settings));
  }

  /** What cannot be opened declares nothing; discovery is what reports it. */
  private static List<VariableCatalog> atPaths(Settings settings) {
    Log silent = new Log(Settings.of(Map.of(CoreVariables.DEBUG.name(), "NONE")));
    List<VariableCatalog> declared = new ArrayList<>();
    PluginLocations places =
        PluginLocations.of(settings, ExternalPlugins.in(settings), new ArrayList<>());
    places.plugins().stream()
        .filter(place -> !PluginFiles.isNative(PluginFiles.fileName(place)))
        .forEach(place -> declared.addAll(PluginVariables.at(place, silent)));
    return declared;
  }
}
