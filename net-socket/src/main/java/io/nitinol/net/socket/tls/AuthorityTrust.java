// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the certificates that lead to the CAs of a file, as the JDK checks them. A refusal names
 * the certificate and the CAs that would be accepted.
 */
final class AuthorityTrust extends PeerTrust {
  private final PemFile ca;
  private final X509ExtendedTrustManager pkix;

  private AuthorityTrust(PemFile ca, X509ExtendedTrustManager pkix) {
    this.ca = ca;
    this.pkix = pkix;
  }

  /**
   * Reads the CAs.
   *
   * @throws TlsFileException where the file does not hold what it should
   */
  static AuthorityTrust of(PemFile ca) {
    X509Certificate[] authorities = PemFiles.certificates(ca);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < authorities.length; i++) {
        store.setCertificateEntry("ca" + i, authorities[i]);
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      for (TrustManager each : trust.getTrustManagers()) {
        if (each instanceof X509ExtendedTrustManager pkix) {
          return new AuthorityTrust(ca, pkix);
        }
      }
      throw new GeneralSecurityException("this JVM has no PKIX trust manager for engines");
    } catch (GeneralSecurityException | IOException e) {
      throw new TlsFileException(ca, "its certificates cannot be used: " + e, e);
    }
  }

  @Override
  void check(X509Certificate[] chain, String type, Peer peer, @Nullable SSLEngine engine)
      throws CertificateException {
    try {
      switch (peer) {
        case CLIENT -> pkix.checkClientTrusted(chain, type, engine);
        case SERVER -> pkix.checkServerTrusted(chain, type, engine);
      }
    } catch (CertificateException e) {
      throw new CertificateException(
          ErrorText.of(
              "the peer's certificate (%s) is not accepted by the CAs of %s: %s",
              CertificateText.names(chain[0]), ca, reason(chain[0], e)),
          e);
    }
  }

  private static String reason(X509Certificate certificate, CertificateException refusal) {
    if (DerivedIdentity.isName(certificate.getSubjectX500Principal())) {
      return "it is one that follows from the job's secret, so the peer has no certificate file";
    }
    String objection = CertificateText.usageObjection(certificate);
    if (objection != null) {
      return objection;
    }
    Throwable root = refusal;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return pkix.getAcceptedIssuers();
  }
}
