// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static io.nitinol.net.socket.tls.TestAuthority.generate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The encrypted mode with certificates from files. */
class PemFilesTest {
  @TempDir private Path directory;
  private TestAuthority authority;

  @BeforeEach
  void makeAuthority() throws Exception {
    authority = new TestAuthority(directory, "ca");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ed25519", "EC", "RSA"})
  void certificatesOfOneAuthorityAcceptEachOther(String algorithm) throws Exception {
    TlsPair pair =
        new TlsPair(1 << 20, member("a", algorithm, authority), member("b", algorithm, authority))
            .shaken();
    ByteBuffer out = ByteBuffer.wrap(new byte[] {1, 2, 3});
    ByteBuffer in = ByteBuffer.allocate(3);
    pair.move(out, in);
    assertThat(in.array()).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCertificateOfAnotherAuthorityIsRefusedOnBothSides(boolean connecting) throws Exception {
    TestAuthority other = new TestAuthority(directory, "other-ca");
    TlsContext ours = member("a", "EC", authority);
    TlsContext foreign = member("b", "EC", other);
    TlsPair pair = new TlsPair(1 << 20, connecting ? foreign : ours, connecting ? ours : foreign);
    IOException[] failures = failures(pair);
    assertThat(failures[connecting ? 1 : 0])
        .hasMessageContaining("the peer's certificate (subject CN=b, issuer CN=authority)")
        .hasMessageContaining("not accepted by the CAs of CA=" + authority.ca());
    assertThat(failures[connecting ? 0 : 1]).hasMessageContaining("Received fatal alert");
  }

  @Test
  void brokenFilesAreNamedWithWhatWasExpected() throws Exception {
    KeyPair pair = generate("EC");
    Path ca = authority.ca();
    Path certificate = authority.certificate("c", pair);
    Path key = authority.key("c", pair);
    Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");
    Path absent = directory.resolve("absent.pem");
    assertFails(absent, key, ca, "CERT=" + absent + ": there is no such file");
    assertFails(certificate, absent, ca, "KEY=" + absent + ": there is no such file");
    assertFails(certificate, key, absent, "CA=" + absent + ": there is no such file");
    assertFails(Path.of("/dev/zero"), key, ca, "/dev/zero: it is no regular file");
    assertFails(directory, key, ca, "it is no regular file");
    assertFails(empty, key, ca, "empty.pem: it has no certificate", "BEGIN CERTIFICATE");
    assertFails(certificate, empty, ca, "empty.pem: it has no private key", "PKCS#8");
    assertFails(certificate, key, empty, "empty.pem: it has no certificate");
    assertFails(certificate, certificate, ca, "it has a block CERTIFICATE", "openssl pkcs8");
    assertFails(
        certificate,
        authority.key("other", generate("EC")),
        ca,
        "does not belong to",
        certificate.toString());
    assertFails(
        certificate, authority.key("rsa", generate("RSA")), ca, "another kind", "which is EC");
    Path broken = TestAuthority.pem(directory, "broken", "CERTIFICATE", new byte[] {1, 2, 3});
    assertFails(broken, key, ca, "broken.pem: a certificate in it is broken");
    Path old = TestAuthority.pem(directory, "old", "EC PRIVATE KEY", new byte[] {1, 2, 3});
    assertFails(certificate, old, ca, "it has a block EC PRIVATE KEY");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPeerWithoutFilesAndOneWithThemAreToldApart(boolean connecting) throws Exception {
    TlsContext files = member("a", "EC", authority);
    TlsContext secret = TlsContext.ofSecret(TlsPair.SECRET);
    TlsPair pair = new TlsPair(1 << 20, connecting ? files : secret, connecting ? secret : files);
    IOException[] failures = failures(pair);
    // The side that connects is the first to see the other's certificate.
    assertThat(failures[0])
        .hasMessageContaining(
            connecting
                ? "the peer has no certificate file"
                : "certificate has subject CN=a, issuer CN=authority");
  }

  @Test
  void onesOwnCertificateHasToBeOfServersAndClients() throws Exception {
    KeyPair pair = generate("EC");
    Path key = authority.key("k", pair);
    Path ca = authority.ca();
    Path server = authority.certificate("s", pair, TestAuthority.SERVER);
    Path client = authority.certificate("c", pair, TestAuthority.CLIENT);
    assertFails(
        server,
        key,
        ca,
        "CERT=" + server + ": its certificate (subject CN=s, issuer CN=authority)",
        "extended key usage is serverAuth: expected both serverAuth and clientAuth");
    assertFails(client, key, ca, "extended key usage is clientAuth: expected both");
    Path both = authority.certificate("b", pair, TestAuthority.SERVER, TestAuthority.CLIENT);
    TlsContext usable = TlsContext.ofPem(cert(both), key(key), ca(ca));
    new TlsPair(1 << 20, usable, usable).shaken();
  }

  @Test
  void aPeersExtendedKeyUsageIsNamedWhereItIsWhatIsWrong() throws Exception {
    X509Certificate[] server =
        PemFiles.certificates(
            cert(authority.certificate("s", generate("EC"), TestAuthority.SERVER)));
    AuthorityTrust trust = AuthorityTrust.of(ca(authority.ca()));
    trust.checkServerTrusted(server, "UNKNOWN");
    assertThatThrownBy(() -> trust.checkClientTrusted(server, "UNKNOWN"))
        .hasMessageContaining("(subject CN=s, issuer CN=authority)")
        .hasMessageContaining("CA=" + authority.ca())
        .hasMessageContaining("extended key usage is serverAuth: expected both");
  }

  @Test
  void aNameOfSeveralLinesStaysOneLine() throws Exception {
    KeyPair pair = generate("Ed25519");
    X509Certificate hostile =
        MinimalCertificate.of("x\ny", pair.getPrivate(), "z".repeat(5000), pair.getPublic());
    assertThat(CertificateText.names(hostile))
        .contains("issuer CN=x?y")
        .doesNotContain("\n")
        .hasSizeLessThan(500);
  }

  /** Lets both sides try; returns why the connecting and why the listening side gave up. */
  private static IOException[] failures(TlsPair pair) {
    IOException[] failures = new IOException[2];
    for (int i = 0; i < 100; i++) {
      if (failures[0] == null) {
        failures[0] = catchThrowableOfType(IOException.class, pair.sender::handshake);
      }
      if (failures[1] == null) {
        failures[1] = catchThrowableOfType(IOException.class, pair.receiver::handshake);
      }
    }
    return failures;
  }

  private static PemFile cert(Path path) {
    return new PemFile(path, "CERT");
  }

  private static PemFile key(Path path) {
    return new PemFile(path, "KEY");
  }

  private static PemFile ca(Path path) {
    return new PemFile(path, "CA");
  }

  private static void assertFails(Path certificate, Path key, Path ca, String... named) {
    assertThatThrownBy(() -> TlsContext.ofPem(cert(certificate), key(key), ca(ca)))
        .isInstanceOf(TlsFileException.class)
        .message()
        .contains(named);
  }

  private TlsContext member(String name, String algorithm, TestAuthority issuer) throws Exception {
    KeyPair pair = generate(algorithm);
    return TlsContext.ofPem(
        cert(issuer.certificate(name, pair)), key(issuer.key(name, pair)), ca(authority.ca()));
  }
}
