// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

/** The certificate that is a template. */
class JobCertificateTest {
  @Test
  void theTemplateIsWhatAWriterOfDerMakes() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    X509Certificate certificate = JobCertificate.of(pair);
    // Signatures of Ed25519 are deterministic (RFC 8032 §5.1.6).
    assertThat(certificate.getEncoded())
        .isEqualTo(
            MinimalCertificate.of("nitinol job", pair.getPrivate(), "nitinol job", pair.getPublic())
                .getEncoded());
    certificate.verify(pair.getPublic());
    certificate.checkValidity();
    assertThat(certificate.getVersion()).isEqualTo(1);
    assertThat(DerivedIdentity.isName(certificate.getSubjectX500Principal())).isTrue();
  }
}
