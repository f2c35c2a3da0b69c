// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.thread.AnyThread;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Decides about the certificates of peers. JSSE has six methods for that, this class has one. */
@AnyThread
abstract class PeerTrust extends X509ExtendedTrustManager {
  /** Which side of a TLS connection the peer is. */
  enum Peer {
    CLIENT,
    SERVER
  }

  /**
   * Checks the certificate of a peer.
   *
   * @param chain the certificate, and after it those that lead to a CA
   * @param type the algorithm of the key exchange, as JSSE names it
   * @param engine the engine of the connection; null where JSSE names none
   * @throws CertificateException when the peer is refused; the message reaches both sides' users
   */
  abstract void check(X509Certificate[] chain, String type, Peer peer, @Nullable SSLEngine engine)
      throws CertificateException;

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, type, Peer.CLIENT, engine);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, type, Peer.SERVER, engine);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    check(chain, type, Peer.CLIENT, null);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    check(chain, type, Peer.SERVER, null);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, type, Peer.CLIENT, null);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, type, Peer.SERVER, null);
  }
}
