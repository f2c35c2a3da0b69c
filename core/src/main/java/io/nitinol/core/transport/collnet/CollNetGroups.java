// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.tuner.Protocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a rank, those with a collective network among them: the network is the peer
 * behind the last rank. The others are made by another {@link Connectors}, which this one owns.
 */
public final class CollNetGroups implements Connectors {
  private final Connectors others;
  private final int network;
  private final List<CollNetSend> sends;
  private final List<CollNetReceive> receives;
  private final List<CollNetExchange> exchanges;

  CollNetGroups(Connectors others, int ranks, List<CollNetExchange> exchanges) {
    this.others = others;
    this.network = ranks;
    this.exchanges = List.copyOf(exchanges);
    this.sends = exchanges.stream().map(CollNetSend::new).toList();
    this.receives = exchanges.stream().map(CollNetReceive::new).toList();
  }

  @Override
  public @Nullable SendConnector sender(int peer, int channel, Use use) {
    return peer == network ? sends.get(channel) : others.sender(peer, channel, use);
  }

  @Override
  public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
    return peer == network ? receives.get(channel) : others.receiver(peer, channel, use);
  }

  @Override
  public @Nullable TeamArea team(int channel, Protocol protocol) {
    return others.team(channel, protocol);
  }

  @Override
  public int missingMember(int channel, Protocol protocol) {
    return others.missingMember(channel, protocol);
  }

  @Override
  public String connecting(int peer) {
    return others.connecting(peer);
  }

  @Override
  public long moves() {
    return others.moves();
  }

  @Override
  public List<Flow> flows(int most) {
    return others.flows(most);
  }

  @Override
  public int nextOnHost() {
    return others.nextOnHost();
  }

  @Override
  public void close(List<Throwable> errors) {
    // Each group is left whatever becomes of the one before, and before the others are closed.
    for (CollNetExchange exchange : exchanges) {
      try {
        exchange.close();
      } catch (Throwable e) {
        errors.add(e);
      }
    }
    others.close(errors);
  }

  @Override
  public void abandon(List<Throwable> errors) {
    others.abandon(errors);
  }
}
