// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import java.nio.ByteBuffer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The proofs with which a handshake ends inside TLS, as {@link TlsBinding} makes them. Each side
 * sends its own before it checks the other's, so that both learn of a mismatch.
 */
final class BindingProofs {
  private static final String EXPORT_LABEL = "EXPORTER-nitinol-socket-binding";
  private static final int EXPORT_SIZE = 32;

  private final Role side;
  // Null once this side's proof is made; the other side's proof is then in expected.
  private @Nullable TlsBinding binding;
  // Null before that, and once the other side's proof has been checked.
  private byte @Nullable [] expected;
  private final ByteBuffer claimed = ByteBuffer.allocate(PeerProof.PROOF_BYTES);

  /**
   * Begins with no proof.
   *
   * @param side this side
   */
  BindingProofs(Role side, TlsBinding binding) {
    this.side = side;
    this.binding = binding;
  }

  /** Returns this side's proof for sending at the first call, null at later ones. */
  @Nullable ByteBuffer make(SSLSession session) throws SSLException {
    TlsBinding making = binding;
    if (making == null) {
      return null;
    }
    byte[] exported = export(session);
    expected = making.proof(side == Role.CONNECTOR ? Role.ACCEPTOR : Role.CONNECTOR, exported);
    binding = null;
    return ByteBuffer.wrap(making.proof(side, exported));
  }

  private static byte[] export(SSLSession session) throws SSLException {
    if (session instanceof ExtendedSSLSession exporting) {
      return exporting.exportKeyingMaterialData(EXPORT_LABEL, new byte[0], EXPORT_SIZE);
    }
    throw new SSLException("this JVM's TLS cannot export keying material");
  }

  /** Returns the buffer for the other side's proof, which is full once all of it has come. */
  ByteBuffer claimed() {
    return claimed;
  }

  /**
   * Returns whether the other side's proof has come and is right.
   *
   * @throws SSLException when it is wrong
   */
  boolean areRight() throws SSLException {
    byte[] right = expected;
    if (right == null) {
      return binding == null;
    }
    if (claimed.hasRemaining()) {
      return false;
    }
    if (!PeerProof.matches(right, claimed.array())) {
      throw new SSLException(
          "the peer inside TLS is not the one that proved itself before: somebody in between"
              + " exchanges connections");
    }
    expected = null;
    return true;
  }
}
