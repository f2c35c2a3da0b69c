// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.PeerProof.Role;

/**
 * Ties a TLS connection to the proofs that the two sides have exchanged before it on the same TCP
 * connection. Each side sends its proof as the first bytes inside TLS and checks the other's. So a
 * relay between them cannot swap the inside for that of another connection, and a certificate alone
 * does not make its owner the peer that proved itself before.
 */
@FunctionalInterface
public interface TlsBinding {
  /**
   * Returns the proof of one side, which only the two sides can make.
   *
   * @param side the side whose proof it is
   * @param exported a value that only the two sides of this TLS connection know (RFC 8446 §7.5);
   *     the proof covers it
   * @return {@link io.nitinol.toolkit.PeerProof#PROOF_BYTES} bytes
   */
  byte[] proof(Role side, byte[] exported);
}
