// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.toolkit.ErrorText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM files (RFC 7468). */
final class PemFiles {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** More bytes than any certificate chain or key has, so that no large file is read by mistake. */
  private static final long LARGEST = 1 << 20;

  private PemFiles() {}

  /**
   * Reads the certificates of a file, in their order.
   *
   * @return at least one certificate
   * @throws TlsFileException where there is none, or one is broken
   */
  static X509Certificate[] certificates(PemFile file) {
    String text = text(file);
    Matcher block = BLOCK.matcher(text);
    StringBuilder certificates = new StringBuilder();
    while (block.find()) {
      if (block.group(1).equals(CERTIFICATE)) {
        certificates.append(block.group()).append('\n');
      }
    }
    if (certificates.isEmpty()) {
      throw new TlsFileException(
          file, "it has no certificate: expected PEM with -----BEGIN CERTIFICATE-----");
    }
    try {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(
              new ByteArrayInputStream(certificates.toString().getBytes(StandardCharsets.US_ASCII)))
          .toArray(new X509Certificate[0]);
    } catch (CertificateException e) {
      throw new TlsFileException(file, "a certificate in it is broken: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a private key.
   *
   * @param certificate the certificate of the key's public half
   * @param certificateFile the file of the certificate, for messages
   * @throws TlsFileException where there is no key, or not the one of the certificate
   */
  static PrivateKey key(PemFile file, X509Certificate certificate, PemFile certificateFile) {
    Matcher block = BLOCK.matcher(text(file));
    String other = null;
    while (block.find()) {
      if (block.group(1).equals(KEY)) {
        return key(file, block.group(2), certificate, certificateFile);
      }
      other = block.group(1);
    }
    throw new TlsFileException(
        file,
        ErrorText.of(
            "%s: expected an unencrypted key in PKCS#8 with -----BEGIN PRIVATE KEY-----, as"
                + " 'openssl pkcs8 -topk8 -nocrypt' writes it",
            other == null ? "it has no private key" : "it has a block " + other));
  }

  private static PrivateKey key(
      PemFile file, String base64, X509Certificate certificate, PemFile certificateFile) {
    PublicKey publicKey = certificate.getPublicKey();
    PrivateKey key;
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(base64);
      key =
          KeyFactory.getInstance(publicKey.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw new TlsFileException(
          file,
          ErrorText.of(
              "its private key is broken or of another kind than that of the certificate in %s, which"
                  + " is %s: %s",
              certificateFile, publicKey.getAlgorithm(), e.getMessage()),
          e);
    }
    checkPair(file, key, publicKey, certificateFile);
    return key;
  }

  /** Fails unless the public key verifies a signature of the private key. */
  private static void checkPair(
      PemFile file, PrivateKey key, PublicKey publicKey, PemFile certificateFile) {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default ->
              throw new TlsFileException(
                  certificateFile,
                  ErrorText.of(
                      "its key is %s: expected RSA, EC, Ed25519 or Ed448",
                      publicKey.getAlgorithm()));
        };
    boolean matches;
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      matches = signature.verify(signed);
    } catch (GeneralSecurityException e) {
      throw new TlsFileException(file, "its private key cannot sign: " + e.getMessage(), e);
    }
    if (!matches) {
      throw new TlsFileException(
          file, "its private key does not belong to the first certificate in " + certificateFile);
    }
  }

  private static String text(PemFile file) {
    Path path = file.path();
    try {
      if (Files.exists(path) && !Files.isRegularFile(path)) {
        // A pipe would block, and a device has no end.
        throw new TlsFileException(file, "it is no regular file");
      }
      long size = Files.size(path);
      if (size > LARGEST) {
        throw new TlsFileException(
            file, ErrorText.of("it has %d bytes: expected PEM of at most %d", size, LARGEST));
      }
      return Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new TlsFileException(file, "there is no such file", e);
    } catch (IOException e) {
      throw new TlsFileException(file, "it cannot be read: " + e, e);
    }
  }
}
