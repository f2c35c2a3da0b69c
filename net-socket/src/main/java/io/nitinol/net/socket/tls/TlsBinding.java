// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.PeerProof.Role;

/**
 * Ties a TLS connection to what the two sides have said and proven to each other before it on the
 * same TCP connection. Each sends its proof as the first bytes inside TLS and checks the other's: a
 * relay between them cannot exchange what is inside for that of another connection, and a
 * certificate alone passes nobody off as who spoke before.
 */
@FunctionalInterface
public interface TlsBinding {
  /**
   * Returns the proof of one side, which only the two sides can make.
   *
   * @param side whose proof
   * @param exported what both sides of this TLS connection know and nobody else (RFC 8446 §7.5); to
   *     be covered by the proof
   * @return {@link io.nitinol.toolkit.PeerProof#PROOF_BYTES} bytes
   */
  byte[] proof(Role side, byte[] exported);
}
