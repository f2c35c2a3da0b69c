// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Transcript;
import java.nio.channels.SocketChannel;

/**
 * The TCP connections of one comm, on each of which both sides have proven to each other that they
 * know the handle. What comes on them from here on is a peer's, but neither encrypted nor signed:
 * lengths and indices in it are still to be checked.
 */
public final class Proven {
  private final String peer;
  private final String label;
  private final SocketChannel[] channels;
  private final Transcript[] said;
  private final Agreement agreement;
  private final byte[] key;

  Proven(
      String peer,
      String label,
      SocketChannel[] channels,
      Transcript[] said,
      Agreement agreement,
      byte[] key) {
    this.peer = peer;
    this.label = label;
    this.channels = channels;
    this.said = said;
    this.agreement = agreement;
    this.key = key;
  }

  /**
   * Returns the peer's address.
   *
   * @return its text, such as {@code 10.0.0.1:4711}: on the connecting side that of the listener,
   *     on the listening side that of the first stream
   */
  public String peer() {
    return peer;
  }

  /**
   * Returns the peer and the device on this side.
   *
   * @return text for messages
   */
  public String label() {
    return label;
  }

  /**
   * Returns the connections in the order that both sides know them in.
   *
   * @return as many non-blocking channels as {@link #agreement} says; nothing has been read of them
   *     that comes behind the proofs
   */
  public SocketChannel[] channels() {
    return channels.clone();
  }

  /**
   * Returns what the listening side has decided.
   *
   * @return what is in its handle
   */
  public Agreement agreement() {
    return agreement;
  }

  /**
   * Returns what both sides know and nobody else, to derive secrets from. It is not to be sent.
   *
   * @return the 16 random bytes of the listener's handle, the same for all its connections
   */
  public byte[] key() {
    return key.clone();
  }

  /**
   * Returns what one side can prove about a connection inside another layer on it, such as TLS:
   * that it is the one with which all that went before was exchanged, on this very connection.
   *
   * @param index which connection
   * @param side whose proof
   * @param exported what both sides of the inner layer know and nobody else; to be covered by the
   *     proof, and of a size that both sides know beforehand
   * @return {@link io.nitinol.toolkit.PeerProof#PROOF_BYTES} bytes
   */
  public byte[] binding(int index, Role side, byte[] exported) {
    return said[index].binding(side, exported);
  }
}
