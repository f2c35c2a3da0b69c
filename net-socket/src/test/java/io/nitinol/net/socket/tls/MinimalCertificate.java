// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * Makes certificates of X.509 version 1, signed with Ed25519. They have no extensions, so that the
 * key may be used for anything, and never end.
 */
final class MinimalCertificate {
  private static final byte[] ED25519 = Der.sequence(Der.objectId(1, 3, 101, 112));
  private static final byte[] ALWAYS =
      Der.sequence(Der.generalizedTime("20000101000000Z"), Der.generalizedTime("99991231235959Z"));

  private MinimalCertificate() {}

  /**
   * Makes a certificate.
   *
   * @param issuerKey an Ed25519 key
   * @param key the public key that the certificate is for, of any kind
   */
  static X509Certificate of(String issuer, PrivateKey issuerKey, String subject, PublicKey key)
      throws GeneralSecurityException {
    byte[] signed =
        Der.sequence(
            Der.smallInteger(1), ED25519, name(issuer), ALWAYS, name(subject), key.getEncoded());
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(issuerKey);
    signature.update(signed);
    byte[] whole = Der.sequence(signed, ED25519, Der.bitString(signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }

  private static byte[] name(String common) {
    return Der.sequence(Der.set(Der.sequence(Der.objectId(2, 5, 4, 3), Der.utf8String(common))));
  }
}
