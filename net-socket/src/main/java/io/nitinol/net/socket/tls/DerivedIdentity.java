// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.security.auth.x500.X500Principal;

/**
 * The key pair and the certificate that follow from a secret: only a process that knows the secret
 * has them. JSSE has no external pre-shared keys, which would be the direct way (RFC 8446 §2.2), so
 * both sides show the same Ed25519 key and accept no other. The key only signs. The traffic keys
 * come from an ephemeral exchange, so recorded traffic stays closed to anyone who learns the secret
 * later.
 *
 * @param privateKey the key that signs
 * @param certificate a self-signed certificate of its public key, which contains nothing else and
 *     never ends
 */
record DerivedIdentity(PrivateKey privateKey, X509Certificate certificate) {
  private static final byte[] SALT = ascii("nitinol net-socket");
  private static final byte[] PURPOSE = ascii("tls 1 ed25519 key");
  private static final int SEED = 32;

  /** Derives the identity of a job from its secret. */
  static DerivedIdentity of(byte[] secret) {
    try {
      KDF hkdf = KDF.getInstance("HKDF-SHA256");
      byte[] seed =
          hkdf.deriveData(
              HKDFParameterSpec.ofExtract().addIKM(secret).addSalt(SALT).thenExpand(PURPOSE, SEED));
      KeyPair pair = keyPair(seed);
      return new DerivedIdentity(pair.getPrivate(), JobCertificate.of(pair));
    } catch (GeneralSecurityException e) {
      // Every JDK 25 has HKDF-SHA256, Ed25519 and X.509.
      throw new IllegalStateException("cannot derive a TLS key: " + e.getMessage(), e);
    }
  }

  /** Returns whether {@code subject} is the name in all derived certificates. */
  static boolean isName(X500Principal subject) {
    return subject.getName().equals("CN=" + JobCertificate.NAME);
  }

  /**
   * Makes a key pair of 32 bytes, which are an Ed25519 private key (RFC 8032 §5.1.5). The JDK
   * computes the public key only while it generates a pair. So its random source hands out the
   * given bytes, and this method checks that the private key has them.
   */
  private static KeyPair keyPair(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    generator.initialize(NamedParameterSpec.ED25519, new Fixed(seed));
    KeyPair pair = generator.generateKeyPair();
    byte[] used = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    if (!MessageDigest.isEqual(used, seed)) {
      throw new GeneralSecurityException(
          ErrorText.of(
              "%s did not make an Ed25519 key of the bytes it was given", generator.getProvider()));
    }
    return pair;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Hands out given bytes once. */
  private static final class Fixed extends SecureRandom {
    private static final long serialVersionUID = 1;
    private byte[] rest;

    Fixed(byte[] bytes) {
      super();
      rest = bytes.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length > rest.length) {
        throw new IllegalStateException(
            ErrorText.of("%d bytes asked for, %d are left", bytes.length, rest.length));
      }
      System.arraycopy(rest, 0, bytes, 0, bytes.length);
      rest = Arrays.copyOfRange(rest, bytes.length, rest.length);
    }
  }
}
