// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;

/** A head's way into the network; mirrors the send side of {@code collNetTransport}. */
final class CollNetSend implements SendConnector {
  private final CollNetExchange exchange;

  CollNetSend(CollNetExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public int peer() {
    return exchange.nextHead;
  }

  @Override
  public boolean isNetwork() {
    return true;
  }

  @Override
  public void reduces(DataType type, int op) {
    exchange.reduce(type, NetworkReductions.operator(op));
  }

  @Override
  public int capacity() {
    return exchange.slots.capacity();
  }

  @Override
  public boolean hasRoom() {
    return exchange.slotsFree(exchange.given.own());
  }

  @Override
  public boolean seemsToHaveRoom() {
    return exchange.slotsFree(exchange.given.get());
  }

  @Override
  public MemorySegment memory() {
    return exchange.slots.memory();
  }

  @Override
  public long offset() {
    return exchange.slots.offset(exchange.given.own());
  }

  @Override
  public void send(int bytes) {
    exchange.give(bytes);
  }

  @Override
  public boolean canForward(ReceiveConnector from) {
    return false;
  }

  @Override
  public long forward(ReceiveConnector from, int bytes) {
    throw new IllegalStateException("messages cannot be forwarded into the network: " + from);
  }

  @Override
  public long done() {
    return exchange.received.get();
  }

  @Override
  public boolean isDrained() {
    return exchange.received.get() == exchange.given.get();
  }

  @Override
  public int progress() {
    return exchange.start();
  }

  @Override
  public void close() {
    exchange.close();
  }

  @Override
  public String toString() {
    return ErrorText.of(
        "to the collective network: %s sent, %s reduced",
        exchange.given.get(), exchange.received.get());
  }
}
