// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import org.jspecify.annotations.Nullable;

/**
 * A way to connect two ranks; mirrors {@code ncclTransport}. A connection is set up in two steps:
 * the receiver offers a handle, which travels to the sender out of band, and both ends are polled
 * until they are connected. Each end allocates what it needs, of the same size on both.
 */
public interface Transport {

  /** Returns the name for logs, such as {@code NET/Socket}. */
  String name();

  /**
   * Returns whether {@code from} can send to {@code to} this way; the same answer on all ranks, so
   * it may depend on nothing but the arguments and what all ranks have in common.
   */
  boolean canConnect(PeerInfo from, PeerInfo to);

  /** Returns the name and the device that {@code channel} uses, as NCCL's log has them. */
  default String path(int channel) {
    return name();
  }

  /** Returns the name and the device that {@code channel} uses, for error messages. */
  default String describe(int channel) {
    return name();
  }

  /**
   * Returns what the transport has warned of last that may be about {@code peer}, such as that it
   * is not reached.
   *
   * @param nanos from when on, on the clock of {@link System#nanoTime}
   * @return null where there is no warning since then
   */
  default @Nullable String warningSince(int peer, long nanos) {
    return null;
  }

  /** Returns whether polls of the connections under way may wait for the peer. */
  default boolean mayWait() {
    return false;
  }

  /** Returns whether what it allocates is memory of a host that all its ranks have to share. */
  default boolean usesHostMemory() {
    return false;
  }

  /**
   * Starts to receive from {@code peer} on {@code channel}.
   *
   * @param use what the connection is for
   * @param slotBytes the most data bytes of a message
   */
  PendingReceive receive(int channel, int peer, Connectors.Use use, int slotBytes);

  /**
   * Starts to send to {@code peer} on {@code channel}.
   *
   * @param use what the connection is for
   * @param slotBytes the most data bytes of a message
   * @param handle what {@code peer} has offered
   */
  PendingSend send(int channel, int peer, Connectors.Use use, int slotBytes, byte[] handle);

  /** A receiving end under way. */
  interface PendingReceive {
    /** Returns what the sender needs to know, at most 128 bytes. */
    byte[] handle();

    /**
     * Moves the connection on; returns it once it is established. Not called before the sender is
     * known to have begun.
     *
     * @throws RegistrationException when it was, but cannot be used
     * @throws io.nitinol.spi.NetException SYSTEM_ERROR when no peer will ever connect; any other is
     *     about one that tried, and another poll may bring the next
     */
    @Nullable ReceiveConnector poll();

    /** Stops waiting. A connection already returned lives on. To be called once. */
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

    /** Stops trying. A connection already returned lives on. To be called once. */
    void close();
  }
}
