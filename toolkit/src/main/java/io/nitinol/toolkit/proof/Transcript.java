// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.proof;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.charset.StandardCharsets;

/**
 * What the two ends of one connection have said to each other before they prove themselves, and the
 * proofs that follow from it: nobody without the secret can make them, and they fit no other
 * connection and not the other direction.
 */
public final class Transcript {
  private static final String INSIDE = "nitinol connection binding 3 ";

  private final byte[] secret;
  private final byte[] hello;
  private final byte[] answer;

  /**
   * Notes what was said.
   *
   * @param secret the secret of both ends
   * @param hello all the connecting end sent
   * @param answer all the accepting end sent before its proof
   */
  Transcript(byte[] secret, byte[] hello, byte[] answer) {
    this.secret = secret;
    this.hello = hello;
    this.answer = answer;
  }

  /** Returns the proof of one side. */
  byte[] proof(Role role) {
    return PeerProof.of(secret, role, hello, answer);
  }

  /**
   * Returns what one side proves inside another layer. It covers all that went before in the clear;
   * all parts have fixed sizes.
   *
   * @param side whose proof
   * @param exported what both ends of the inner layer know and nobody else, of a size that both
   *     know beforehand
   * @return {@link PeerProof#PROOF_BYTES} bytes
   */
  public byte[] binding(Role side, byte[] exported) {
    return PeerProof.hmac(
        secret,
        (INSIDE + side.name()).getBytes(StandardCharsets.US_ASCII),
        hello,
        answer,
        proof(Role.ACCEPTOR),
        proof(Role.CONNECTOR),
        exported);
  }
}
