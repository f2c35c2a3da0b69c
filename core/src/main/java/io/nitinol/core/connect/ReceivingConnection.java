// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.RegistrationException;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.Transport.PendingReceive;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/** The receiving end: listens and offers its handle at once, and accepts when the sender dials. */
final class ReceivingConnection extends PendingConnection<ReceiveConnector> {
  private @Nullable PendingReceive pending;

  /** What {@code accept} said last about one that tried to connect. */
  private volatile @Nullable NetException refused;

  ReceivingConnection(
      int peer, int channel, Use use, Transport transport, int slotBytes, ConnectContext here) {
    super(peer, channel, use, transport, slotBytes, here);
  }

  @Override
  public void begin() {
    PendingReceive listening = transport.receive(channel, peer, use, slotBytes);
    pending = listening;
    here.send(peer, ConnectNotice.offer(use, channel, listening.handle()));
  }

  @Override
  public void heard(ConnectNotice notice) {
    PendingReceive listening = pending;
    if (listening == null) {
      throw new IllegalStateException("rank " + peer + " dials what was not offered");
    }
    pending = null;
    attempt(
        new ConnectingEnd<>(
            thread("accept"),
            () -> accept(listening),
            ReceiveConnector::close,
            listening::close,
            here.memory(),
            here.logger()));
  }

  private @Nullable ReceiveConnector accept(PendingReceive listening) {
    try {
      return listening.poll();
    } catch (NetException e) {
      if (e instanceof RegistrationException || e.result() == ResultCode.SYSTEM_ERROR) {
        throw e;
      }
      // It is about one that tried, and the next may be the one that is waited for.
      if (refused == null) {
        here.logger()
            .warn(
                "LazyConnectors",
                ErrorText.of(
                    "rank %s refused a connection over %s and waits for the next: %s",
                    here.rank(), transport.describe(channel), e.getMessage()));
      }
      refused = e;
      return null;
    }
  }

  @Override
  @Nullable NetException refused() {
    return refused;
  }

  @Override
  boolean needsPeer() {
    return pending != null;
  }

  @Override
  boolean sends() {
    return false;
  }

  @Override
  String verb() {
    return "accept";
  }

  @Override
  String late() {
    return " was not connected to by rank ";
  }

  @Override
  void closeConnector(ReceiveConnector what) {
    what.close();
  }

  @Override
  void closePreparations() {
    PendingReceive listening = pending;
    pending = null;
    if (listening != null) {
      listening.close();
    }
  }
}
