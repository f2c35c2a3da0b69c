// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.v12.Net;

/** Plugins of any version as the framework sees them. */
public final class Newest {
  private static final int OLDEST = 4;
  private static final int NEWEST = 12;

  private Newest() {}

  /** Lifts a network. */
  public static Net net(Object plugin) {
    return (Net) lifted(PluginKind.NET, "net", "Net", plugin);
  }

  /** Lifts a collective network. */
  public static CollNet collNet(Object plugin) {
    return (CollNet) lifted(PluginKind.COLLNET, "collnet", "CollNet", plugin);
  }

  private static Object lifted(PluginKind kind, String area, String name, Object plugin) {
    return AdapterChain.from(kind, version(area, name, plugin)).getLast().lift(plugin);
  }

  /** Returns the newest version of Net that {@code plugin} implements. */
  public static int netVersion(Object plugin) {
    return version("net", "Net", plugin);
  }

  /** Returns the newest version of CollNet that {@code plugin} implements. */
  public static int collNetVersion(Object plugin) {
    return version("collnet", "CollNet", plugin);
  }

  private static int version(String area, String name, Object plugin) {
    for (int version = NEWEST; version >= OLDEST; version--) {
      try {
        if (Class.forName("io.nitinol.spi." + area + ".v" + version + "." + name)
            .isInstance(plugin)) {
          return version;
        }
      } catch (ClassNotFoundException e) {
        throw new AssertionError("no version " + version, e);
      }
    }
    throw new IllegalArgumentException(plugin + " is no " + name);
  }
}
