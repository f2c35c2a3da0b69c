// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/**
 * The self-signed certificate that carries a job's Ed25519 key, of X.509 version 1. It has no
 * extensions, so that the key may be used for anything, and never ends.
 *
 * <p>The JDK reads certificates and makes none. All lengths in this one are fixed, since the key
 * always has 44 bytes in DER and the signature 64 (RFC 8410), so it is a template (RFC 5280 §4.1,
 * ITU-T X.690) in which these two are filled in.
 */
@AnyThread
final class JobCertificate {
  /** The common name of subject and issuer. */
  static final String NAME = "nitinol job";

  // A SEQUENCE of: the signed part, the algorithm, the signature as a BIT STRING.
  private static final byte[] WHOLE = HexFormat.of().parseHex("3081d7");
  private static final String ED25519 = "300506032b6570";
  private static final byte[] SIGNATURE = HexFormat.of().parseHex(ED25519 + "034100");

  // A SEQUENCE of: the serial number 1, the algorithm, the issuer, the time from 2000 to 9999, the
  // subject, and then the key.
  private static final String COMMON_NAME = "30163114301206035504030c0b" + hex(NAME);
  private static final String ALWAYS =
      "3022180f" + hex("20000101000000Z") + "180f" + hex("99991231235959Z");
  private static final byte[] SIGNED =
      HexFormat.of().parseHex("30818a" + "020101" + ED25519 + COMMON_NAME + ALWAYS + COMMON_NAME);

  private JobCertificate() {}

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes the certificate of an Ed25519 key pair. */
  static X509Certificate of(KeyPair pair) throws GeneralSecurityException {
    byte[] key = pair.getPublic().getEncoded();
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(pair.getPrivate());
    signature.update(SIGNED);
    signature.update(key);
    ByteArrayOutputStream certificate = new ByteArrayOutputStream();
    certificate.writeBytes(WHOLE);
    certificate.writeBytes(SIGNED);
    certificate.writeBytes(key);
    certificate.writeBytes(SIGNATURE);
    certificate.writeBytes(signature.sign());
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(certificate.toByteArray()));
  }
}
