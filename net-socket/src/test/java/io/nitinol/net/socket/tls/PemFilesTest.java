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
    IOException[] failures = new IOException[2];
    for (int i = 0; i < 100; i++) {
      if (failures[0] == null) {
        failures[0] = catchThrowableOfType(IOException.class, pair.sender::handshake);
      }
      if (failures[1] == null) {
        failures[1] = catchThrowableOfType(IOException.class, pair.receiver::handshake);
      }
    }
    assertThat(failures[connecting ? 1 : 0]).hasMessageContaining("PKIX path");
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
    assertFails(absent, key, ca, "absent.pem: there is no such file");
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

  private static void assertFails(Path certificate, Path key, Path ca, String... named) {
    assertThatThrownBy(() -> TlsContext.ofPem(certificate, key, ca))
        .isInstanceOf(TlsFileException.class)
        .message()
        .contains(named);
  }

  private TlsContext member(String name, String algorithm, TestAuthority issuer) throws Exception {
    KeyPair pair = generate(algorithm);
    return TlsContext.ofPem(issuer.certificate(name, pair), issuer.key(name, pair), authority.ca());
  }
}
