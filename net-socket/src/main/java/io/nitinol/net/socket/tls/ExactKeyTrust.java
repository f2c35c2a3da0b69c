// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** Accepts one public key and no other, whatever else the certificate contains. */
final class ExactKeyTrust extends PeerTrust {
  private final byte[] expected;

  ExactKeyTrust(PublicKey expected) {
    this.expected = expected.getEncoded();
  }

  @Override
  void check(X509Certificate[] chain, String type, Peer peer, @Nullable SSLEngine engine)
      throws CertificateException {
    if (chain.length == 0) {
      throw new CertificateException("the peer's key does not come from this job's secret");
    }
    if (!MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), expected)) {
      throw new CertificateException(
          ErrorText.of(
              "the peer's key does not come from this job's secret, its certificate has %s;"
                  + " certificate files are for all ranks or for none",
              CertificateText.names(chain[0])));
    }
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
