// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.charset.StandardCharsets;

/**
 * What the two sides of one stream have said to each other before they prove themselves, and the
 * proofs that follow from it: nobody without the key can make them, and they fit no other stream,
 * no other connection and not the other direction.
 */
final class Transcript {
  private static final String INSIDE = "nitinol connection binding 3 ";

  private final byte[] key;
  private final byte[] hello;
  private final byte[] answer;

  /**
   * Notes what was said.
   *
   * @param key the key of the listener's handle
   * @param hello all the connecting side sent
   * @param answer all the listening side sent before its proof
   */
  Transcript(byte[] key, byte[] hello, byte[] answer) {
    this.key = key;
    this.hello = hello;
    this.answer = answer;
  }

  /** Returns the proof of one side. */
  byte[] proof(Role role) {
    return PeerProof.of(key, role, hello, answer);
  }

  /**
   * Returns what one side proves inside another layer. It covers all that went before in the clear;
   * all parts have fixed sizes.
   */
  byte[] binding(Role side, byte[] exported) {
    return PeerProof.hmac(
        key,
        (INSIDE + side.name()).getBytes(StandardCharsets.US_ASCII),
        hello,
        answer,
        proof(Role.ACCEPTOR),
        proof(Role.CONNECTOR),
        exported);
  }
}
