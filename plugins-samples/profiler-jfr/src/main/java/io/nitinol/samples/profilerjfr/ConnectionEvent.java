// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.EventDescriptor;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The messages of an operation over one connection of the network. */
@Name("io.nitinol.NetworkOperation")
@Label("Network Operation")
final class ConnectionEvent extends JfrEvent {
  @Label("Peer")
  @Description("The rank at the other end of the connection")
  int peer;

  @Label("Channel")
  int channel;

  @Label("Sends")
  @Description("Whether this rank sends over the connection")
  boolean sends;

  @Label("Messages")
  long messages;

  @Label("Chunk")
  @Description("The most data of one message")
  @DataAmount
  long chunk;

  ConnectionEvent(EventDescriptor.ProxyOp operation) {
    peer = operation.peer();
    channel = operation.channel();
    sends = operation.sends();
    messages = operation.steps();
    chunk = operation.chunkSize();
  }
}
