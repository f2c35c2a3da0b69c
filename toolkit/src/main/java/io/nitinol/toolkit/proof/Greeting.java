// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import java.nio.ByteBuffer;

/**
 * What one end of one connection knows and says of itself, and what it makes of the other end's
 * words. The owner of the connection implements it; the thread that drives the {@link Handshake}
 * calls it.
 */
public interface Greeting {
  /**
   * Returns what both ends have to know.
   *
   * @return the secret itself, not a copy; not empty
   */
  byte[] secret();

  /**
   * Returns what this end says of itself.
   *
   * @return as many bytes as the {@link HandshakeFormat} gives its role
   */
  byte[] words();

  /**
   * Hears what the other end says of itself. An accepting end hears it before the other end has
   * proven anything and believes it only once the link is open; a connecting end hears it after the
   * proof.
   *
   * @param words as many bytes as the {@link HandshakeFormat} gives the other end's role
   * @throws RefusedException if this end cannot talk to such a one
   */
  void hear(ByteBuffer words) throws RefusedException;

  /**
   * Returns what it means that the other end's proof is wrong.
   *
   * @return a sentence about the other end, for the user
   */
  String wrongSecret();

  /**
   * Returns what it means that the code of the other end's hello is wrong, where the format has
   * one.
   *
   * @return a sentence about the other end, for the user
   */
  default String wrongCode() {
    return wrongSecret();
  }

  /**
   * Returns what is known of another end that was answered and went without proving itself.
   *
   * @return a sentence about the other end, for the user
   */
  String unproven();

  /**
   * Returns what is known of another end that was answered and has been silent since, which may be
   * slow and no more.
   *
   * @return a sentence about the other end, for the user
   */
  default String slow() {
    return unproven();
  }

  /**
   * Returns whether nothing on this side depends on the connection that the other end asks for, as
   * far as it has been heard. Such an end may go before its proof and is not reported as a
   * stranger, and the end of this side does not wait for its proof.
   *
   * @return false where the connection has a part in this side's work
   */
  default boolean isDispensable() {
    return false;
  }
}
