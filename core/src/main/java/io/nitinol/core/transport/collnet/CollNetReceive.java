// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;

/** What comes back from the network; mirrors the receive side of {@code collNetTransport}. */
final class CollNetReceive implements ReceiveConnector {
  private final CollNetExchange exchange;

  CollNetReceive(CollNetExchange exchange) {
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
  public int capacity() {
    return exchange.slots.capacity();
  }

  @Override
  public void expect(long messages) {} // what comes back is what was sent

  @Override
  public boolean ready() {
    return exchange.consumed.own() < exchange.received.get();
  }

  @Override
  public boolean seemsReady() {
    return exchange.consumed.get() < exchange.received.get();
  }

  @Override
  public MemorySegment memory() {
    return exchange.slots.memory();
  }

  @Override
  public long offset() {
    return exchange.slots.offset(exchange.consumed.own());
  }

  @Override
  public int size() {
    return exchange.resultBytes() + MessageHeader.BYTES;
  }

  @Override
  public void release() {
    exchange.consumed.set(exchange.consumed.own() + 1);
  }

  @Override
  public void releaseAfter(SendConnector sender, long ticket) {
    throw new IllegalStateException("results are copied, not forwarded to " + sender);
  }

  @Override
  public int progress() {
    return exchange.finish();
  }

  @Override
  public void close() {
    exchange.close();
  }

  @Override
  public String toString() {
    return ErrorText.of(
        "from the collective network: %s arrived, %s consumed",
        exchange.received.get(), exchange.consumed.get());
  }
}
