// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

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
 * The key pair and the certificate that follow from a secret: who knows the secret has them, and
 * nobody else. JSSE has no external pre-shared keys, which would be the direct way (RFC 8446 §2.2);
 * so both sides show the same Ed25519 key and accept no other. The key only signs: the traffic keys
 * come from an ephemeral exchange, so what was recorded stays closed to who learns the secret
 * later.
 *
 * @param privateKey the key that signs
 * @param certificate a self-signed certificate of its public key, which says nothing else and never
 *     ends
 */
record DerivedIdentity(PrivateKey privateKey, X509Certificate certificate) {
  private static final byte[] SALT = ascii("nitinol net-socket");
  private static final byte[] PURPOSE = ascii("tls 1 ed25519 key");
  private static final int SEED = 32;

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

  /** Returns whether it is the name in the certificates that are made here. */
  static boolean isName(X500Principal subject) {
    return subject.getName().equals("CN=" + JobCertificate.NAME);
  }

  /**
   * An Ed25519 private key is any 32 bytes (RFC 8032 §5.1.5). The JDK computes the public key only
   * while it generates a pair, so it generates one of the bytes that are there; that it took them
   * as they are is checked.
   */
  private static KeyPair keyPair(byte[] seed) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    generator.initialize(NamedParameterSpec.ED25519, new Fixed(seed));
    KeyPair pair = generator.generateKeyPair();
    byte[] used = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    if (!MessageDigest.isEqual(used, seed)) {
      throw new GeneralSecurityException(
          generator.getProvider() + " did not make an Ed25519 key of the bytes it was given");
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
            bytes.length + " bytes asked for, " + rest.length + " are left");
      }
      System.arraycopy(rest, 0, bytes, 0, bytes.length);
      rest = Arrays.copyOfRange(rest, bytes.length, rest.length);
    }
  }
}
