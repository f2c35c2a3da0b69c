// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import org.jspecify.annotations.Nullable;

/**
 * A way to connect two ranks; mirrors {@code ncclTransport}. A connection is set up in two steps:
 * the receiver offers a handle, which travels to the sender out of band, and both ends are polled
 * until they are connected.
 */
public interface Transport {

  /** Returns the name for logs, such as {@code NET/Socket}. */
  String name();

  /** Returns whether {@code from} can send to {@code to} this way. */
  boolean canConnect(PeerInfo from, PeerInfo to);

  /** Starts to receive from {@code peer} on {@code channel}, into {@code slots}. */
  PendingReceive receive(int channel, int peer, Slots slots);

  /** Starts to send to {@code peer} on {@code channel}, with the handle it has offered. */
  PendingSend send(int channel, int peer, Slots slots, byte[] handle);

  /** A receiving end under way. */
  interface PendingReceive {
    /** Returns what the sender needs to know, at most 128 bytes. */
    byte[] handle();

    /**
     * Moves the connection on; returns it once it is established.
     *
     * @throws RegistrationException when it was, but cannot be used
     * @throws io.nitinol.spi.NetException SYSTEM_ERROR when nobody will ever connect; any other is
     *     about one that tried, and another poll may bring the next
     */
    @Nullable ReceiveConnector poll();

    /** Stops waiting. A connection already returned lives on. */
    void close();
  }

  /** A sending end under way. */
  interface PendingSend {
    /**
     * Moves the connection on; returns it once it is established.
     *
     * @throws RegistrationException when it was, but cannot be used
     * @throws io.nitinol.spi.NetException when it never will be
     */
    @Nullable SendConnector poll();
  }
}
