// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.net.Socket;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Accepts one public key and no other; what else the certificate says does not matter. */
final class ExactKeyTrust extends X509ExtendedTrustManager {
  private final byte[] expected;

  ExactKeyTrust(PublicKey expected) {
    this.expected = expected.getEncoded();
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0
        || !MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), expected)) {
      throw new CertificateException(
          "the peer's key does not come from this job's secret"
              + (chain.length == 0
                  ? ""
                  : ", its certificate has "
                      + CertificateText.names(chain[0])
                      + "; certificate files are for all ranks or for none"));
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
