// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.v6.Net;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a selection: an initialized network plugin with devices, as the newest version,
 * and the CollNet plugin that goes with it. The plugins belong to the process and are shared by its
 * communicators.
 *
 * @param net the network
 * @param collNet in-network reduction, initialized and with devices; null where there is none
 * @param name the network's name as it was before {@code init}
 * @param providedVersion the interface version that the plugin itself implements
 * @param adapters the steps between that version and {@code net}, such as {@code v4->v5}
 * @param origin where the plugin comes from
 * @param deviceCount how many devices it has; at least 1
 */
public record SelectedNet(
    Net net,
    @Nullable CollNet collNet,
    String name,
    int providedVersion,
    List<String> adapters,
    PluginOrigin origin,
    int deviceCount) {

  /** Copies the list. */
  public SelectedNet {
    adapters = List.copyOf(adapters);
  }
}
