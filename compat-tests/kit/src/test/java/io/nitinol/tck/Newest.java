// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.v12.Net;

/** Plugins of any version as the framework sees them. */
public final class Newest {
  private static final int OLDEST = 4;

  private Newest() {}

  /** Lifts a network. */
  public static Net net(Object plugin) {
    return (Net) lifted(PluginKind.NET, plugin);
  }

  /** Lifts a collective network. */
  public static CollNet collNet(Object plugin) {
    return (CollNet) lifted(PluginKind.COLLNET, plugin);
  }

  private static Object lifted(PluginKind kind, Object plugin) {
    return AdapterChain.from(kind, version(kind, plugin)).getLast().lift(plugin);
  }

  /** Returns the newest version of Net that {@code plugin} implements. */
  public static int netVersion(Object plugin) {
    return version(PluginKind.NET, plugin);
  }

  /** Returns the newest version of CollNet that {@code plugin} implements. */
  public static int collNetVersion(Object plugin) {
    return version(PluginKind.COLLNET, plugin);
  }

  private static int version(PluginKind kind, Object plugin) {
    for (AdapterChain chain : AdapterChain.from(kind, OLDEST).reversed()) {
      if (chain.service().isInstance(plugin)) {
        return chain.to();
      }
    }
    throw new IllegalArgumentException(plugin + " is no " + kind.label());
  }
}
