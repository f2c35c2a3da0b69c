// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.transport.Connectors;
import io.nitinol.spi.collnet.v12.CollNet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rank of a communicator that uses a collective network holds of it. */
public final class CollNetMembership implements AutoCloseable {
  private final List<CollNetExchange> exchanges;
  private final NetworkReductions reductions;
  private final @Nullable PluginSession<CollNet> session;

  CollNetMembership(
      List<CollNetExchange> exchanges,
      NetworkReductions reductions,
      @Nullable PluginSession<CollNet> session) {
    this.exchanges = List.copyOf(exchanges);
    this.reductions = reductions;
    this.session = session;
  }

  /** Returns what the network reduces, the same on all ranks. */
  public NetworkReductions reductions() {
    return reductions;
  }

  /**
   * Returns {@code others} and the connections with the network, whose closing leaves its groups.
   */
  public Connectors links(Connectors others, int ranks) {
    return new CollNetGroups(others, ranks, exchanges);
  }

  /**
   * Ends with the plugin; the groups are left by then, which closing the links does.
   *
   * @throws io.nitinol.spi.NetException when the plugin could not
   */
  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }
}
