// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.config.Settings;
import java.util.Map;

/** Finds out which network the communicator is going to take, before any rank waits for another. */
final class NetworkCheck {
  private NetworkCheck() {}

  /**
   * Returns the network.
   *
   * @throws io.nitinol.spi.NetException when none can be used: then each rank knows why by itself,
   *     and no other one is to blame
   */
  static SelectedNet select() {
    // The communicator logs the choice when it makes it.
    Log silent = new Log(Settings.of(Map.of(CoreVariables.DEBUG.name(), "NONE")));
    return NetSelection.select(PluginCatalog.process(), Settings.process(), silent, null);
  }
}
