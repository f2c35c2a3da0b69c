// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.tuner.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The connectors that an engine has got so far. Executors ask for more; the driving thread moves
 * those that need the network.
 */
public final class ActiveConnectors {
  private final Connectors links;

  // Those that need the network's turn; copied when one is added, which is rare.
  private volatile SendConnector[] sends = new SendConnector[0];
  private volatile ReceiveConnector[] receives = new ReceiveConnector[0];

  /** All, for a dump, which may come while a thread is stuck in here: reading takes no lock. */
  private final CopyOnWriteArrayList<Object> all = new CopyOnWriteArrayList<>();

  public ActiveConnectors(Connectors links) {
    this.links = links;
  }

  public @Nullable SendConnector sender(int peer, int channel, Connectors.Use use) {
    SendConnector found = links.sender(peer, channel, use);
    if (found != null && isNew(found) && found.needsProgress()) {
      synchronized (all) {
        SendConnector[] more = Arrays.copyOf(sends, sends.length + 1);
        more[sends.length] = found;
        sends = more;
      }
    }
    return found;
  }

  public @Nullable ReceiveConnector receiver(int peer, int channel, Connectors.Use use) {
    ReceiveConnector found = links.receiver(peer, channel, use);
    if (found != null && isNew(found) && found.needsProgress()) {
      synchronized (all) {
        ReceiveConnector[] more = Arrays.copyOf(receives, receives.length + 1);
        more[receives.length] = found;
        receives = more;
      }
    }
    return found;
  }

  public @Nullable TeamArea team(int channel, Protocol protocol) {
    return links.team(channel, protocol);
  }

  public int missingMember(int channel, Protocol protocol) {
    return links.missingMember(channel, protocol);
  }

  public String connecting(int peer) {
    return links.connecting(peer);
  }

  /** Returns how often a connection that is being made has come forward. */
  public long moves() {
    return links.moves();
  }

  public int nextOnHost() {
    return links.nextOnHost();
  }

  private boolean isNew(Object connector) {
    return all.addIfAbsent(connector);
  }

  /** Returns the sending ends that need the network's turn; not to be changed. */
  public SendConnector[] sends() {
    return sends;
  }

  /** Returns the receiving ends that need the network's turn; not to be changed. */
  public ReceiveConnector[] receives() {
    return receives;
  }

  /** Returns one of the connections with messages that the network is not done with, or null. */
  public @Nullable SendConnector undrained() {
    for (SendConnector send : sends) {
      if (!send.isDrained()) {
        return send;
      }
    }
    return null;
  }

  /** Returns whether the network is done with all that was sent, and knows what was used. */
  public boolean isSettled() {
    for (ReceiveConnector receive : receives) {
      if (!receive.isSettled()) {
        return false;
      }
    }
    return undrained() == null;
  }

  /** Closes everything; see {@link Connectors#close}. */
  public void close(List<Throwable> errors) {
    links.close(errors);
  }

  /**
   * Ends what makes connections and leaves those that there are; see {@link Connectors#abandon}.
   */
  public void abandon(List<Throwable> errors) {
    links.abandon(errors);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Object connector : all) {
      text.append("  connection ").append(connector).append('\n');
    }
    return text.toString();
  }
}
