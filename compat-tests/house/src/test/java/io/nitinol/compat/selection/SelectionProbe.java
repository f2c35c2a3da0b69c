// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.selection;

import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;

/**
 * A program that selects a network as a communicator does and prints the outcome. If that fails, it
 * prints the message on standard error and exits with status 3.
 */
public final class SelectionProbe {
  private SelectionProbe() {}

  /** Selects and prints. */
  public static void main(String[] arguments) {
    PluginCatalog catalog = PluginCatalog.process();
    int status = 0;
    try {
      SelectedNet selected = NetSelection.select(catalog, Settings.process(), Log.process(), null);
      System.out.println("chosen " + selected.name());
      System.out.println("version " + selected.providedVersion() + " " + selected.adapters());
      System.out.println("module " + selected.origin().module());
      System.out.println("from " + selected.origin().location());
      System.out.println("devices " + selected.deviceCount());
      System.out.println(
          "collnet " + (selected.collNet() == null ? "none" : selected.collNet().name()));
    } catch (NetException e) {
      System.err.println(e.result() + ": " + e.getMessage());
      status = 3;
    }
    for (PluginDescription plugin : catalog.describe()) {
      System.out.println(
          "candidate " + plugin.name() + ", " + plugin.state().label() + ", " + plugin.reason());
    }
    System.exit(status);
  }
}
