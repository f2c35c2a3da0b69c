// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.core.transport.Transport.PendingSend;
import org.jspecify.annotations.Nullable;

/** The sending end: dials once it is asked for and the receiver has offered its handle. */
final class SendingConnection extends PendingConnection<SendConnector> {
  private byte @Nullable [] handle;
  private boolean begun;
  private boolean dialling;

  SendingConnection(
      int peer, int channel, Use use, Transport transport, int slotBytes, ConnectContext here) {
    super(peer, channel, use, transport, slotBytes, here);
  }

  @Override
  public void begin() {
    begun = true;
    dial();
  }

  @Override
  public void heard(ConnectNotice notice) {
    if (handle != null) {
      throw new IllegalStateException("rank " + peer + " offers the same connection twice");
    }
    handle = notice.handle();
    dial();
  }

  private void dial() {
    byte[] offered = handle;
    if (!begun || offered == null) {
      return;
    }
    dialling = true;
    PendingSend pending = transport.send(channel, peer, use, slotBytes, offered);
    attempt(
        new ConnectingEnd<>(
            thread("connect"),
            pending::poll,
            SendConnector::close,
            pending::close,
            here.memory(),
            here.logger()));
    here.send(peer, ConnectNotice.dial(use, channel));
  }

  @Override
  boolean needsPeer() {
    return begun && !dialling;
  }

  @Override
  boolean sends() {
    return true;
  }

  @Override
  String verb() {
    return "connect to";
  }

  @Override
  String late() {
    return " could not connect to rank ";
  }

  @Override
  void closeConnector(SendConnector what) {
    what.close();
  }

  @Override
  void closePreparations() {
    // a handle takes nothing
  }
}
