// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** An authority with a new key, which writes PEM files into a directory. */
public final class TestAuthority {
  static final byte[] SERVER = Der.objectId(1, 3, 6, 1, 5, 5, 7, 3, 1);
  static final byte[] CLIENT = Der.objectId(1, 3, 6, 1, 5, 5, 7, 3, 2);
  private static final byte[] ED25519 = Der.sequence(Der.objectId(1, 3, 101, 112));

  private final Path directory;
  private final KeyPair pair;
  private final Path ca;

  /** Makes an authority and writes its certificate to a file of that name. */
  public TestAuthority(Path directory, String name) throws IOException, GeneralSecurityException {
    this.directory = directory;
    this.pair = generate("Ed25519");
    X509Certificate own =
        MinimalCertificate.of("authority", pair.getPrivate(), "authority", pair.getPublic());
    this.ca = pem(directory, name, "CERTIFICATE", own.getEncoded());
  }

  /** The file of the authority's certificate. */
  public Path ca() {
    return ca;
  }

  /** Writes a certificate of a member. */
  public Path certificate(String name, KeyPair member)
      throws IOException, GeneralSecurityException {
    X509Certificate certificate =
        MinimalCertificate.of("authority", pair.getPrivate(), name, member.getPublic());
    return pem(directory, name, "CERTIFICATE", certificate.getEncoded());
  }

  /** Writes a certificate, of X.509 version 3, with an extended key usage. */
  Path certificate(String name, KeyPair member, byte[]... usages)
      throws IOException, GeneralSecurityException {
    byte[] always =
        Der.sequence(
            Der.generalizedTime("20000101000000Z"), Der.generalizedTime("99991231235959Z"));
    byte[] usage =
        Der.sequence(Der.objectId(2, 5, 29, 37), Der.element(0x04, Der.sequence(usages)));
    byte[] signed =
        Der.sequence(
            Der.element(0xa0, Der.smallInteger(2)),
            Der.smallInteger(1),
            ED25519,
            commonName("authority"),
            always,
            commonName(name),
            member.getPublic().getEncoded(),
            Der.element(0xa3, Der.sequence(usage)));
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(pair.getPrivate());
    signature.update(signed);
    byte[] whole = Der.sequence(signed, ED25519, Der.bitString(signature.sign()));
    return pem(directory, name, "CERTIFICATE", whole);
  }

  private static byte[] commonName(String name) {
    return Der.sequence(Der.set(Der.sequence(Der.objectId(2, 5, 4, 3), Der.utf8String(name))));
  }

  /** Writes a member's private key. */
  public Path key(String name, KeyPair member) throws IOException {
    return pem(directory, name + "-key", "PRIVATE KEY", member.getPrivate().getEncoded());
  }

  /** Makes a key pair. */
  public static KeyPair generate(String algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("RSA")) {
      generator.initialize(2048);
    }
    return generator.generateKeyPair();
  }

  static Path pem(Path directory, String name, String type, byte[] content) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".pem"),
        "-----BEGIN "
            + type
            + "-----\n"
            + Base64.getMimeEncoder().encodeToString(content)
            + "\n-----END "
            + type
            + "-----\n");
  }
}
