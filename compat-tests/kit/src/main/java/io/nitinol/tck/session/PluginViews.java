// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.core.plugin.AdapterChain;
import io.nitinol.tck.plugin.Lane;

/** Puts a plugin of any version at the end of its lane, behind the interface that tests use. */
public final class PluginViews {
  private PluginViews() {}

  /**
   * Takes a network along its lane: through the framework's adapters up to the version that is
   * called, and from there through the kit's own view.
   *
   * @param raw the plugin's object, of the version that the lane starts from
   */
  public static TestedNet net(Lane lane, Object raw) {
    Object reached = lifted(lane, raw);
    return switch (lane.presented()) {
      case 4 -> new NetFromV4((io.nitinol.spi.net.v4.Net) reached);
      case 5 -> new NetFromV5((io.nitinol.spi.net.v5.Net) reached);
      default -> new NetInContext((io.nitinol.spi.net.v12.Net) reached);
    };
  }

  /**
   * Takes a collective network along its lane.
   *
   * @param raw the plugin's object, of the version that the lane starts from
   */
  public static TestedCollNet collNet(Lane lane, Object raw) {
    Object reached = lifted(lane, raw);
    return switch (lane.presented()) {
      case 4 -> new CollNetFromV4((io.nitinol.spi.collnet.v4.CollNet) reached);
      case 5 -> new CollNetFromV5((io.nitinol.spi.collnet.v5.CollNet) reached);
      default -> new CollNetInContext((io.nitinol.spi.collnet.v12.CollNet) reached);
    };
  }

  /** Returns the plugin's object behind the adapters of its lane. */
  static Object lifted(Lane lane, Object raw) {
    for (AdapterChain chain : AdapterChain.from(lane.kind().inCore(), lane.provided())) {
      if (chain.to() == lane.presented()) {
        return chain.lift(raw);
      }
    }
    throw new IllegalArgumentException("no adapters for " + lane);
  }
}
