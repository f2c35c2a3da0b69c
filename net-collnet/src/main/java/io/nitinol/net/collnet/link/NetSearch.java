// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.finder.v1.NetFinder;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Looks for the network plugin that is to carry data, and starts none. */
public final class NetSearch {
  private static final int NEWEST = 12;

  private NetSearch() {}

  /**
   * Finds a network plugin, of whatever version the program's core can adapt, or of version 12
   * where there is no core.
   *
   * @param name its name, in any case
   * @return a new instance, not started
   * @throws NetException with INVALID_USAGE when there is none of this name, or it cannot be loaded
   */
  public static FoundNet find(String name) {
    NetFinder program = NetFinder.ofProgram();
    if (program == null) {
      return findHere(name);
    }
    try {
      return program.find(name);
    } catch (NetException e) {
      throw new NetException(
          e.result(), "NITINOL_COLLNET_NET, or nitinol switch --net: " + e.getMessage(), e);
    }
  }

  private static FoundNet findHere(String name) {
    List<String> there = new ArrayList<>();
    try {
      for (Net net : ServiceLoader.load(Net.class, NetSearch.class.getClassLoader())) {
        if (net.name().equalsIgnoreCase(name)) {
          Class<?> type = net.getClass();
          return new FoundNet(net, NEWEST, type.getName(), type.getClassLoader());
        }
        there.add(net.name());
      }
    } catch (ServiceConfigurationError e) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "the network plugins cannot be listed: " + e.getMessage(), e);
    }
    throw new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "NITINOL_COLLNET_NET: there is no network plugin %s of version 12, and nothing here"
                + " that adapts older ones; there are: %s",
            name, there.isEmpty() ? "none" : String.join(", ", there)));
  }
}
